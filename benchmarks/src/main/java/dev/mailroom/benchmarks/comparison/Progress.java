package dev.mailroom.benchmarks.comparison;

/** Hears what a comparison is doing, while it does it. */
public interface Progress {
  /** A line for the reader at the console. */
  void says(String line);
}

package dev.mailroom.benchmarks.comparison;

import java.time.Duration;

/** Hears what a comparison is doing, while it does it. */
public interface Progress {
  /** A line for the reader at the console. */
  void says(String line);

  /** How long all of it will take, as far as that is known; said once, at the beginning. */
  default void expects(Duration total) {}
}

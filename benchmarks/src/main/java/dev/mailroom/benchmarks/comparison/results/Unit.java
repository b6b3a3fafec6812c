package dev.mailroom.benchmarks.comparison.results;

/** What a number counts, and which one is better. */
public enum Unit {
  MESSAGES_PER_SECOND("messages/s", true),
  MILLISECONDS("ms", false),
  BYTES_PER_MESSAGE("B/message", false),
  /** Statements, rows, pages: what a message takes of something. */
  PER_MESSAGE("per message", false),
  MEBIBYTES("MiB", false);

  private final String text;
  private final boolean higherIsBetter;

  Unit(String text, boolean higherIsBetter) {
    this.text = text;
    this.higherIsBetter = higherIsBetter;
  }

  /** As it is written beside a number. */
  public String text() {
    return text;
  }

  /** Whether a larger number is the better one. */
  public boolean higherIsBetter() {
    return higherIsBetter;
  }
}

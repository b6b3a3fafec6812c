package dev.mailroom.benchmarks;

/** Divides a number of messages among writers. */
final class Shares {
  private Shares() {}

  static int of(int messages, int writers, int index) {
    return messages / writers + (index < messages % writers ? 1 : 0);
  }
}

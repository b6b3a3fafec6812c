package dev.mailroom.jdbc;

/**
 * How many messages a group's turn has brought of late, so that a claim takes about as many turns
 * as it needs. A hint; claims that are made at once may disturb each other's.
 */
final class Yield {
  private volatile double perTurn = Double.MAX_VALUE;

  /** How many turns will bring that many messages. */
  int turnsFor(int messages, int mostPerGroup) {
    double expected = Math.max(1, Math.min(perTurn, mostPerGroup));
    return (int) Math.min(messages, Math.ceil(messages / expected));
  }

  /** So many turns have brought so many messages. */
  void gave(int turns, int messages) {
    double now = (double) messages / turns;
    perTurn = perTurn == Double.MAX_VALUE ? now : (perTurn + now) / 2;
  }
}

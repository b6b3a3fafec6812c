package dev.mailroom.jdbc;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * The messages of one group that a claim has leased. When all of them are completed, nothing of the
 * group is left up to some number, which spares whoever looks at it the remains of this very run.
 */
final class Run {
  final GroupKey group;

  /** The server that gave the numbers. */
  final long server;

  /** Up to where nothing else of the group was there, nor will be. */
  final long through;

  /** Where it is written that a lease holds the group. */
  volatile int part = PostgresHolds.ANY;

  private final AtomicInteger left;

  Run(GroupKey group, int count, long through, long server) {
    this.group = group;
    this.left = new AtomicInteger(count);
    this.through = through;
    this.server = server;
  }

  /** A run of which nothing of the kind is known. */
  static Run unknown(GroupKey group) {
    return new Run(group, Integer.MAX_VALUE, 0, 0);
  }

  /** How many were not completed yet. */
  int left() {
    return left.get();
  }

  /** Whether these are the last that were not completed yet. */
  boolean endsWith(int completed) {
    return left.get() == completed;
  }

  /** So many were completed, which is committed: one that is undone is still to come. */
  void completed(int count) {
    left.addAndGet(-count);
  }
}

package dev.mailroom.benchmarks.comparison.workload;

import dev.mailroom.benchmarks.comparison.contender.Ledger;
import dev.mailroom.benchmarks.comparison.results.Names;
import dev.mailroom.benchmarks.postgres.WallClock;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.function.IntToLongFunction;

/** Notes when each message arrived at its handler. */
final class Arrivals implements Ledger {
  private static final int WARM_UP_PARTS = 5;

  private final Tally tally = new Tally(0);
  private final AtomicLongArray at;

  Arrivals(int messages) {
    this.at = new AtomicLongArray(messages);
  }

  @Override
  public void handled(long number) {
    at.set((int) number, WallClock.micros());
    tally.handled(number);
  }

  /** Waits for all of them. */
  void awaitAll() throws InterruptedException {
    tally.awaitAll(at.length());
  }

  /** Fails unless each was handled once. */
  void check(long left) {
    tally.check(at.length(), left);
  }

  /**
   * The median and the 99th percentile of how late they were, in milliseconds, without the first
   * fifth, when all was still getting warm. Early counts as not late.
   *
   * @param due when each message could have been there, in microseconds
   */
  Reading lateness(IntToLongFunction due) {
    int first = at.length() / WARM_UP_PARTS;
    double[] late = new double[at.length() - first];
    for (int i = 0; i < late.length; i++) {
      late[i] = Math.max(0, at.get(first + i) - due.applyAsLong(first + i)) / 1e3;
    }
    Arrays.sort(late);
    return new Reading(late[late.length / 2], Map.of(Names.P99, late[(int) (late.length * 0.99)]));
  }
}

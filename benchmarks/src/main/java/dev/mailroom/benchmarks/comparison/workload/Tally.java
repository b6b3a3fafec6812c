package dev.mailroom.benchmarks.comparison.workload;

import dev.mailroom.benchmarks.comparison.contender.Ledger;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.AtomicReferenceArray;

/** Counts how often each message was handled, and sees whether groups keep their order. */
final class Tally implements Ledger {
  private static final int CHUNK = 1 << 16;
  private static final int CHUNKS = 1 << 12;
  private static final long LOOK_MILLIS = 1;

  /** Longer than anyone takes to look at its tables, even in vain. */
  private static final Duration PATIENCE = Duration.ofSeconds(40);

  private final AtomicReferenceArray<AtomicIntegerArray> times = new AtomicReferenceArray<>(CHUNKS);
  private final AtomicLongArray lastOfGroup;
  private final AtomicLong handled = new AtomicLong();
  private final AtomicLong outOfOrder = new AtomicLong();

  /**
   * For so many groups, in which message n is in group n modulo the number; 0 if there are none.
   */
  Tally(int groups) {
    this.lastOfGroup = new AtomicLongArray(groups);
    for (int group = 0; group < groups; group++) {
      lastOfGroup.set(group, -1);
    }
  }

  @Override
  public void handled(long number) {
    int chunk = Math.toIntExact(number / CHUNK);
    if (times.get(chunk) == null) {
      times.compareAndSet(chunk, null, new AtomicIntegerArray(CHUNK));
    }
    times.get(chunk).incrementAndGet((int) (number % CHUNK));
    if (lastOfGroup.length() > 0) {
      int group = (int) (number % lastOfGroup.length());
      if (lastOfGroup.getAndSet(group, number) >= number) {
        outOfOrder.incrementAndGet();
      }
    }
    handled.incrementAndGet();
  }

  long handled() {
    return handled.get();
  }

  /** Waits until so many were handled or the time is over. Answers whether they were. */
  boolean await(long messages, Duration longest) throws InterruptedException {
    long end = System.nanoTime() + longest.toNanos();
    while (handled.get() < messages && System.nanoTime() < end) {
      Thread.sleep(LOOK_MILLIS);
    }
    return handled.get() >= messages;
  }

  /** Waits until one was handled. Fails if that takes too long. */
  void awaitFirst() throws InterruptedException {
    if (!await(1, PATIENCE)) {
      throw new BrokenPromiseException("nothing was handled within " + PATIENCE);
    }
  }

  /** Waits until so many were handled. Fails if that takes too long. */
  void awaitAll(long messages) throws InterruptedException {
    if (!await(messages, PATIENCE)) {
      throw new BrokenPromiseException(
          "only %,d of %,d messages were handled within %s"
              .formatted(handled.get(), messages, PATIENCE));
    }
  }

  /**
   * Fails unless all that were appended were handled once or are left, in order within their
   * groups.
   */
  void check(long appended, long left) {
    long twice = 0;
    long unknown = 0;
    for (int chunk = 0; chunk < CHUNKS; chunk++) {
      AtomicIntegerArray all = times.get(chunk);
      for (int i = 0; all != null && i < CHUNK; i++) {
        twice += all.get(i) > 1 ? 1 : 0;
        unknown += all.get(i) > 0 && (long) chunk * CHUNK + i >= appended ? 1 : 0;
      }
    }
    if (twice > 0 || unknown > 0 || outOfOrder.get() > 0 || handled.get() + left != appended) {
      throw new BrokenPromiseException(
          "of %,d messages %,d were handled, %,d more than once and %,d out of order; %,d are left"
              .formatted(appended, handled.get(), twice, outOfOrder.get(), left));
    }
  }
}

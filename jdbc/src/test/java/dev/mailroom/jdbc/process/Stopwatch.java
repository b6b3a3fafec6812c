package dev.mailroom.jdbc.process;

import dev.mailroom.time.ReadsTheClock;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * Real time, which processes and servers live in: it waits for what nothing can signal to this one,
 * and measures how long that took.
 */
@ReadsTheClock
final class Stopwatch {
  private static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final int MILLIS_BETWEEN_LOOKS = 10;

  private final long start = System.nanoTime();

  /** The time since it was made. */
  Duration elapsed() {
    return Duration.ofNanos(System.nanoTime() - start);
  }

  /** Waits for a condition, and fails if it does not come true. */
  static void await(String what, BooleanSupplier condition) {
    await(() -> what, condition);
  }

  /** Waits for a condition, and fails with what is there instead. */
  static void await(Supplier<String> what, BooleanSupplier condition) {
    Stopwatch waiting = new Stopwatch();
    while (!condition.getAsBoolean()) {
      if (waiting.elapsed().compareTo(PATIENCE) > 0) {
        throw new AssertionError("waited in vain: " + what.get());
      }
      rest();
    }
  }

  /** Lets others have the processor between two looks. */
  static void rest() {
    try {
      if (new CountDownLatch(1).await(MILLIS_BETWEEN_LOOKS, TimeUnit.MILLISECONDS)) {
        throw new AssertionError("nobody counts this latch down");
      }
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new AssertionError("interrupted while waiting", interrupted);
    }
  }
}

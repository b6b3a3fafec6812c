package dev.mailroom.engine;

import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** Waits that end as soon as what they wait for is there, and fail when it does not come. */
final class Await {
  private static final int SECONDS = 30;
  private static final int LOOKS_PER_SECOND = 500;

  private Await() {}

  /** Waits for the latch. */
  static void latch(CountDownLatch latch) {
    try {
      if (!latch.await(SECONDS, TimeUnit.SECONDS)) {
        throw new AssertionError("the latch still stands at " + latch.getCount());
      }
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new AssertionError("interrupted while waiting for a latch", interrupted);
    }
  }

  /** Waits for a future's value. */
  static <T> T value(Future<T> future) throws Exception {
    return future.get(SECONDS, TimeUnit.SECONDS);
  }

  /** Waits for a condition that nothing signals, such as a row in a store. */
  static void until(String what, BooleanSupplier condition) {
    CountDownLatch never = new CountDownLatch(1);
    for (int look = 0; look < SECONDS * LOOKS_PER_SECOND; look++) {
      if (condition.getAsBoolean()) {
        return;
      }
      try {
        if (never.await(1_000_000 / LOOKS_PER_SECOND, TimeUnit.MICROSECONDS)) {
          throw new AssertionError("no thread counts this latch down");
        }
      } catch (InterruptedException interrupted) {
        Thread.currentThread().interrupt();
        throw new AssertionError("interrupted while waiting until " + what, interrupted);
      }
    }
    throw new AssertionError("waited in vain until " + what);
  }

  /** Waits until the inbox's fetcher has nothing to do but to wait for its poll or a wake-up. */
  static void fetcherRests(String inbox) {
    String name = "mailroom-" + inbox + "-fetcher";
    until(
        "the fetcher of '" + inbox + "' rests",
        () ->
            Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().equals(name))
                .anyMatch(thread -> thread.getState() == Thread.State.TIMED_WAITING));
  }

  /** Waits until no thread of an engine is left. */
  static void noEngineThreads() {
    until("no thread of an engine is left but " + engineThreads(), () -> engineThreads().isEmpty());
  }

  /** The names of the engines' threads. */
  static List<String> engineThreads() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(Thread::isAlive)
        .map(Thread::getName)
        .filter(name -> name.startsWith("mailroom-"))
        .sorted()
        .toList();
  }
}

package dev.mailroom.server;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** Polls for conditions that nothing can signal to this process. */
public final class Await {
  private static final int LOOKS = 12_000;
  private static final int MILLIS_BETWEEN_LOOKS = 10;

  private Await() {}

  /** Waits for a condition, two minutes at least, and fails if it does not come true. */
  public static void until(String what, BooleanSupplier condition) {
    for (int i = 0; !condition.getAsBoolean(); i++) {
      if (i == LOOKS) {
        throw new AssertionError("Waited in vain until " + what + ".");
      }
      try {
        if (new CountDownLatch(1).await(MILLIS_BETWEEN_LOOKS, TimeUnit.MILLISECONDS)) {
          throw new AssertionError("this latch must not be counted down");
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new AssertionError("interrupted while waiting", e);
      }
    }
  }
}

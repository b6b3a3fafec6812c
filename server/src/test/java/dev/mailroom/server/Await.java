package dev.mailroom.server;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** Waits for what nothing can signal to this process. */
public final class Patience {
  private static final int LOOKS = 12_000;
  private static final int MILLIS_BETWEEN_LOOKS = 10;

  private Patience() {}

  /** Waits for a condition, two minutes at least, and fails if it does not come true. */
  public static void until(String what, BooleanSupplier condition) {
    for (int i = 0; !condition.getAsBoolean(); i++) {
      if (i == LOOKS) {
        throw new AssertionError("Waited in vain until " + what + ".");
      }
      try {
        if (new CountDownLatch(1).await(MILLIS_BETWEEN_LOOKS, TimeUnit.MILLISECONDS)) {
          throw new AssertionError("nobody counts this latch down");
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new AssertionError("interrupted while waiting", e);
      }
    }
  }
}

package dev.mailroom.examples;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Waits for an example's handlers, so that a mistake ends in an error and not in a hang. */
final class Waiting {
  private static final int SECONDS = 10;

  private Waiting() {}

  static void on(CountDownLatch latch) throws InterruptedException {
    if (!latch.await(SECONDS, TimeUnit.SECONDS)) {
      throw new IllegalStateException(
          latch.getCount() + " expected calls did not happen within " + SECONDS + " seconds.");
    }
  }
}

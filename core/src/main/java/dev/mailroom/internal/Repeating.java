package dev.mailroom.internal;

import dev.mailroom.errors.TransientStoreException;
import dev.mailroom.options.StorageRetry;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Repeats a call of a store that failed for a moment, where that is safe.
 *
 * @param retry how often, and how long to wait in between
 * @param random for jitter
 */
public record Repeating(StorageRetry retry, RandomGenerator random) {
  private static final Logger LOG = LoggerFactory.getLogger(Repeating.class);

  /**
   * Calls until it does not fail for a moment any more, or has done so often enough.
   *
   * @param what is done, for the log
   * @param call is given how often it has failed so far
   */
  public <T> T run(String what, IntFunction<T> call) {
    for (int failures = 0; ; ) {
      try {
        return call.apply(failures);
      } catch (TransientStoreException error) {
        failures++;
        if (failures > retry.retries() || !pause(retry.backoff().delay(failures, random))) {
          throw error;
        }
        LOG.warn(
            "{} failed for a moment; repeating ({} of {}): {}",
            what,
            failures,
            retry.retries(),
            error.toString());
      }
    }
  }

  /** False if the caller was interrupted and wants no more of it. */
  private static boolean pause(Duration delay) {
    try {
      // Nobody counts this latch down: it is a wait that an interrupt ends.
      return !new CountDownLatch(1).await(delay.toNanos(), TimeUnit.NANOSECONDS);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      return false;
    }
  }
}

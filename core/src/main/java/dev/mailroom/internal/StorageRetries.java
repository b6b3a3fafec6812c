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
 * Retries a call of a store after a transient error, where that is safe.
 *
 * @param retry the number of retries and their back-off
 * @param random for jitter
 */
public record StorageRetries(StorageRetry retry, RandomGenerator random) {
  private static final Logger LOG = LoggerFactory.getLogger(StorageRetries.class);

  /**
   * Calls until there is no transient error, or the retries are used up.
   *
   * @param what the operation, for the log
   * @param call receives the number of failures so far
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
            "{} failed with a transient error; retrying ({} of {}): {}",
            what,
            failures,
            retry.retries(),
            error.toString());
      }
    }
  }

  /** False if the caller was interrupted. */
  private static boolean pause(Duration delay) {
    try {
      // The latch is never counted down: it is an interruptible wait.
      return !new CountDownLatch(1).await(delay.toNanos(), TimeUnit.NANOSECONDS);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      return false;
    }
  }
}

package dev.mailroom.server.web;

import dev.mailroom.time.TimeSource;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Whether the store takes writes: a database whose disk is full still answers. Every write of a
 * request reports its outcome. While writes fail, and perhaps no more requests are sent here, a
 * trial write finds out when they succeed again. Each change is logged once. Thread-safe.
 */
public final class StoreWrites {
  private static final Logger LOG = LoggerFactory.getLogger(StoreWrites.class);

  /**
   * How long after the last failure a success counts: on a nearly full disk small writes succeed
   * between large ones that fail, and readiness must not flicker.
   */
  private static final long PAUSE = Duration.ofSeconds(5).toNanos();

  private final TimeSource time;
  private volatile boolean failing;
  private long failedAt;

  /** Writes of which none has failed so far. */
  public StoreWrites(TimeSource time) {
    this.time = time;
  }

  /** A write has succeeded. */
  public void succeeded() {
    if (failing) {
      recover();
    }
  }

  private synchronized void recover() {
    if (failing && isPauseOver()) {
      failing = false;
      LOG.info("The store takes writes again");
    }
  }

  /**
   * A write has failed.
   *
   * @param error why, or null if that has been logged already
   */
  public synchronized void failed(@Nullable Throwable error) {
    failedAt = time.nanos();
    if (!failing) {
      failing = true;
      if (error != null) {
        LOG.error(
            "The store does not take writes: they are answered with 503, and /health/ready is not"
                + " ready, until one succeeds: {}",
            error.getMessage());
      }
    }
  }

  /**
   * Whether writes succeed.
   *
   * @param trial writes something, and says whether that succeeded; called while writes fail
   */
  boolean isHealthy(BooleanSupplier trial) {
    if (failing && isPauseOver()) {
      if (trial.getAsBoolean()) {
        recover();
      } else {
        failed(null);
      }
    }
    return !failing;
  }

  private synchronized boolean isPauseOver() {
    return time.nanos() - failedAt >= PAUSE;
  }
}

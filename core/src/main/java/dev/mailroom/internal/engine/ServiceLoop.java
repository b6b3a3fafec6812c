package dev.mailroom.internal.engine;

import dev.mailroom.options.Backoff;
import dev.mailroom.spi.Telemetry;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs a service's passes on a thread of its own until it is stopped. A pass that throws never ends
 * the loop: it is counted, logged once per change of state, and followed by an exponential back-off
 * that signals do not shorten.
 */
final class ServiceLoop {
  private static final Logger LOG = LoggerFactory.getLogger(ServiceLoop.class);
  private static final Backoff AFTER_FAILURE =
      Backoff.exponential(Duration.ofMillis(100), Duration.ofSeconds(5)).withJitter(0);

  private final Service service;
  private final EngineContext context;
  private final BooleanSupplier unfinished;
  private final Telemetry.Tags tags;
  private final CountDownLatch stopping = new CountDownLatch(1);
  private volatile @Nullable Thread thread;
  private volatile @Nullable Instant lastSuccess;
  private volatile int failures;

  ServiceLoop(Service service, EngineContext context, String channel) {
    this(service, context, channel, () -> false);
  }

  /**
   * A loop that finishes pending work before it stops.
   *
   * @param unfinished whether work is pending that must be finished
   */
  ServiceLoop(Service service, EngineContext context, String channel, BooleanSupplier unfinished) {
    this.service = service;
    this.context = context;
    this.unfinished = unfinished;
    this.tags = new Telemetry.Tags(channel, null, service.name());
  }

  void start() {
    Thread own = new Thread(this::run, "mailroom-" + tags.channel() + "-" + service.name());
    thread = own;
    own.start();
  }

  /** Stops the loop after the current pass, or when no work is pending. */
  void stop() {
    stopping.countDown();
    service.signal().raise();
  }

  /** Waits until its thread has ended, if it was started; false after the timeout. */
  boolean awaitEnd(Duration timeout) throws InterruptedException {
    Thread own = thread;
    if (own == null) {
      return true;
    }
    own.join(Math.max(1, timeout.toMillis()));
    return !own.isAlive();
  }

  @Nullable Instant lastSuccess() {
    return lastSuccess;
  }

  int consecutiveFailures() {
    return failures;
  }

  private void run() {
    while (continues()) {
      Duration rest = passOnce();
      if (!rest.isZero() && continues()) {
        service.signal().await(rest);
      }
      // An interrupt meant for the pass (of a driver, say) must not make the loop busy.
      Thread.interrupted();
    }
  }

  private boolean continues() {
    return stopping.getCount() > 0 || (failures == 0 && unfinished.getAsBoolean());
  }

  private Duration passOnce() {
    try {
      Duration rest = service.pass();
      lastSuccess = context.time().now();
      if (failures > 0) {
        LOG.info("{} of channel '{}' works again", service.name(), tags.channel());
        failures = 0;
      }
      return rest;
    } catch (Throwable error) {
      failed(error);
      return Duration.ZERO;
    }
  }

  @SuppressWarnings("NonAtomicVolatileUpdate") // written by this loop's thread alone
  private void failed(Throwable error) {
    failures++;
    try {
      report(error);
    } catch (Throwable unreported) {
      // The log may fail too, without memory, say; the loop must survive that.
    }
    try {
      Duration rest = AFTER_FAILURE.delay(failures);
      boolean stopped = stopping.await(rest.toNanos(), TimeUnit.NANOSECONDS);
      LOG.trace("Backed off after a failure, stopped: {}", stopped);
    } catch (InterruptedException interrupted) {
      // Not a request to stop: only stop() is. The next pass follows.
    }
  }

  private void report(Throwable error) {
    context.telemetry().count(Telemetry.Counter.LOOP_ERROR, tags, 1);
    if (failures == 1) {
      LOG.warn("{} of channel '{}' failed; retrying", service.name(), tags.channel(), error);
    } else {
      LOG.debug("{} of channel '{}' failed again", service.name(), tags.channel(), error);
    }
  }
}

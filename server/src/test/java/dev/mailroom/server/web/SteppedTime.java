package dev.mailroom.server.web;

import dev.mailroom.time.TimeSource;
import java.time.Duration;
import java.time.Instant;

/** A manual clock that a test moves. */
final class SteppedTime implements TimeSource {
  private volatile Instant now = Instant.EPOCH;

  @Override
  public Instant now() {
    return now;
  }

  @Override
  public long nanos() {
    return Duration.between(Instant.EPOCH, now).toNanos();
  }

  synchronized void step(Duration time) {
    now = now.plus(time);
  }
}

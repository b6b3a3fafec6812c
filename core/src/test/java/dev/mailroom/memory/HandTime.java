package dev.mailroom.memory;

import dev.mailroom.time.TimeSource;
import java.time.Duration;
import java.time.Instant;

/** A clock that a test moves. */
final class HandTime implements TimeSource {
  private volatile Instant now = Instant.parse("2030-01-01T00:00:00Z");

  void advance(Duration duration) {
    now = now.plus(duration);
  }

  @Override
  public Instant now() {
    return now;
  }

  @Override
  public long nanos() {
    return Duration.between(Instant.EPOCH, now).toNanos();
  }
}

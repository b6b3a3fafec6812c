package dev.mailroom.internal;

import dev.mailroom.TimeSource;
import java.time.Instant;

/** The host's clocks. */
@ReadsTheClock
public enum SystemTime implements TimeSource {
  /** The only one. */
  INSTANCE;

  @Override
  public Instant now() {
    return Instant.now();
  }

  @Override
  public long nanos() {
    return System.nanoTime();
  }
}

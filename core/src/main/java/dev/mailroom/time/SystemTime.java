package dev.mailroom.time;

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

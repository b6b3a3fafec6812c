package dev.mailroom.benchmarks.postgres;

import java.time.Instant;
import java.time.temporal.ChronoUnit;

/** The clock that all processes of one machine share, to the microsecond. */
public final class WallClock {
  private WallClock() {}

  /** Since 1970. */
  public static long micros() {
    return ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now());
  }
}

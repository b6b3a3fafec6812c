package dev.mailroom.jdbc;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoField;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;

/**
 * Times as the tables hold them: microseconds since the epoch. What lies beyond their range is the
 * end of time.
 */
final class Micros {
  /** The end of time. */
  static final long NEVER = Long.MAX_VALUE;

  private static final long PER_SECOND = 1_000_000;

  private Micros() {}

  /** The last microsecond that is not after the time. */
  static long floor(Instant time) {
    return of(time, time.get(ChronoField.NANO_OF_SECOND) / 1_000);
  }

  /** The first microsecond that is not before the time. */
  static long ceiling(Instant time) {
    return of(time, (time.get(ChronoField.NANO_OF_SECOND) + 999) / 1_000);
  }

  private static long of(Instant time, int micros) {
    try {
      return Math.addExact(Math.multiplyExact(time.getEpochSecond(), PER_SECOND), micros);
    } catch (ArithmeticException beyond) {
      return time.getEpochSecond() < 0 ? Long.MIN_VALUE : NEVER;
    }
  }

  /** The time that long after another; a negative delay is none. */
  static long after(long time, Duration delay) {
    if (delay.isNegative() || delay.isZero()) {
      return time;
    }
    try {
      long micros =
          Math.addExact(
              Math.multiplyExact(delay.toSeconds(), PER_SECOND),
              (delay.toNanosPart() + 999L) / 1_000);
      return Math.addExact(time, micros);
    } catch (ArithmeticException beyond) {
      return NEVER;
    }
  }

  static Instant instant(long micros) {
    if (micros == NEVER) {
      return Instant.MAX;
    }
    return Instant.ofEpochSecond(
        Math.floorDiv(micros, PER_SECOND), Math.floorMod(micros, PER_SECOND) * 1_000);
  }

  static @Nullable Instant instant(@Nullable Long micros) {
    return micros == null ? null : instant(micros.longValue());
  }

  /** How long it is from one time to a later one. */
  static Duration between(long from, long to) {
    return to <= from ? Duration.ZERO : Duration.of(to - from, ChronoUnit.MICROS);
  }
}

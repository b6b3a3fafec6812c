package dev.mailroom.memory;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;

/** Addition of instants and durations that saturates instead of overflowing. */
final class SaturatingTime {
  private SaturatingTime() {}

  /** The instant after the delay; {@link Instant#MAX} instead of an overflow. */
  static Instant after(Instant now, Duration delay) {
    try {
      return delay.isZero() || delay.isNegative() ? now : now.plus(delay);
    } catch (DateTimeException | ArithmeticException overflow) {
      return Instant.MAX;
    }
  }
}

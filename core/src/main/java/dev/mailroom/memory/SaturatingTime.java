package dev.mailroom.memory;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;

/** Arithmetic on instants that cannot fail in the middle of a verb. */
final class SaturatingTime {
  private SaturatingTime() {}

  /** The instant that long after now; the end of time instead of an overflow. */
  static Instant after(Instant now, Duration delay) {
    try {
      return delay.isZero() || delay.isNegative() ? now : now.plus(delay);
    } catch (DateTimeException | ArithmeticException overflow) {
      return Instant.MAX;
    }
  }
}

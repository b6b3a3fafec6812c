package dev.mailroom.time;

import java.time.Instant;

/**
 * The one owner of time: a wall clock for people and due times, a monotonic one for durations.
 *
 * <p>Implementations are thread-safe.
 */
public interface TimeSource {

  /** The host's clocks. */
  static TimeSource system() {
    return SystemTime.INSTANCE;
  }

  /** The wall clock's time. */
  Instant now();

  /** Nanoseconds of a monotonic clock; only differences mean something. */
  long nanos();
}

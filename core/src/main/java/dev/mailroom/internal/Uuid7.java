package dev.mailroom.internal;

import dev.mailroom.TimeSource;
import java.util.UUID;
import java.util.random.RandomGenerator;

/**
 * Makes UUIDs of version 7: a millisecond timestamp, then randomness. They sort roughly by time,
 * which keeps a database's index pages together; nothing depends on that order.
 */
public final class Uuid7 {
  private final TimeSource time;
  private final RandomGenerator random;

  /**
   * A source of ids.
   *
   * @param random safe for use by many threads
   */
  public Uuid7(TimeSource time, RandomGenerator random) {
    this.time = time;
    this.random = random;
  }

  /** A new id. */
  public UUID next() {
    long millis = time.now().toEpochMilli();
    long high = (millis << 16) | 0x7000L | (random.nextLong() & 0x0FFFL);
    long low = (random.nextLong() & 0x3FFF_FFFF_FFFF_FFFFL) | 0x8000_0000_0000_0000L;
    return new UUID(high, low);
  }
}

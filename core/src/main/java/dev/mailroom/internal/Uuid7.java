package dev.mailroom.internal;

import dev.mailroom.time.TimeSource;
import java.time.Instant;
import java.util.UUID;
import java.util.random.RandomGenerator;

/**
 * Makes UUIDs of version 7: a timestamp down to the 4,096th part of a millisecond, then randomness.
 * They sort roughly by time, also within a batch, which keeps index inserts local; nothing depends
 * on that order.
 */
public final class Uuid7 {
  private static final long NANOS_OF_MILLI = 1_000_000;
  private static final long PARTS = 1 << 12;

  private final TimeSource time;
  private final RandomGenerator random;

  /**
   * A source of ids.
   *
   * @param random thread-safe
   */
  public Uuid7(TimeSource time, RandomGenerator random) {
    this.time = time;
    this.random = random;
  }

  /** A new id. */
  public UUID next() {
    Instant now = time.now();
    long nanos = now.getNano();
    long millis = now.getEpochSecond() * 1_000 + nanos / NANOS_OF_MILLI;
    long part = nanos % NANOS_OF_MILLI * PARTS / NANOS_OF_MILLI;
    long high = (millis << 16) | 0x7000L | part;
    long low = (random.nextLong() & 0x3FFF_FFFF_FFFF_FFFFL) | 0x8000_0000_0000_0000L;
    return new UUID(high, low);
  }
}

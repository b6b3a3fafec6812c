package dev.mailroom.memory;

import java.util.UUID;
import java.util.random.RandomGenerator;

/** Lease tokens: random UUIDs (version 4) from one shared generator. */
final class LeaseTokens {
  private final RandomGenerator random;

  LeaseTokens(RandomGenerator random) {
    this.random = random;
  }

  /** A new token. Synchronized, because random generators in general are not thread-safe. */
  synchronized UUID next() {
    long high = (random.nextLong() & ~0xF000L) | 0x4000L;
    long low = (random.nextLong() & 0x3FFF_FFFF_FFFF_FFFFL) | 0x8000_0000_0000_0000L;
    return new UUID(high, low);
  }
}

package dev.mailroom.internal;

import java.util.concurrent.ThreadLocalRandom;
import java.util.random.RandomGenerator;

/** Randomness for jitter and message ids, fast from many threads; not for secrets. */
public enum SharedRandom implements RandomGenerator {
  /** The only one. */
  INSTANCE;

  @Override
  public long nextLong() {
    return ThreadLocalRandom.current().nextLong();
  }
}

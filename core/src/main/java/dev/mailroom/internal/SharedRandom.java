package dev.mailroom.internal;

import java.util.concurrent.ThreadLocalRandom;
import java.util.random.RandomGenerator;

/** Random numbers for jitter and message ids, without contention; not for secrets. */
public enum SharedRandom implements RandomGenerator {
  /** The only instance. */
  INSTANCE;

  @Override
  public long nextLong() {
    return ThreadLocalRandom.current().nextLong();
  }
}

package dev.mailroom.benchmarks.postgres;

import java.util.Random;

/** Pauses between messages, long enough for everything to fall idle, and at no regular beat. */
final class Gaps {
  static final int SHORTEST = 20;
  static final int LONGEST = 120;

  private static final Random RANDOM = new Random(1);

  private Gaps() {}

  static void pause() throws InterruptedException {
    Thread.sleep(SHORTEST + RANDOM.nextInt(LONGEST - SHORTEST));
  }
}

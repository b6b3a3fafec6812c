package dev.mailroom.benchmarks.comparison.workload;

import dev.mailroom.benchmarks.comparison.contender.Contender;
import dev.mailroom.benchmarks.comparison.contender.Job;
import dev.mailroom.benchmarks.postgres.WallClock;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * Appends single messages at a rate, with gaps at no regular beat. A writer that falls behind goes
 * on with the next at once, and does not leave any out.
 *
 * @param count how many
 * @param rate how many per second, all threads together
 * @param threads how many write at once
 * @param shortest the shortest time after which a message is due; zero for at once
 * @param longest the longest
 */
record PacedWriter(int count, double rate, int threads, Duration shortest, Duration longest) {
  private static final int SEED = 1;

  /** Of messages that are due at once. */
  static PacedWriter of(int count, double rate, int threads) {
    return new PacedWriter(count, rate, threads, Duration.ZERO, Duration.ZERO);
  }

  /**
   * When each append was called and had returned, in microseconds of the machine's clock.
   *
   * @param called by the number of the message
   * @param returned by the number of the message
   */
  record Times(AtomicLongArray called, AtomicLongArray returned) {}

  /** Writes them all. */
  Times write(Contender contender) throws InterruptedException {
    long[] gaps = gaps();
    Times times = new Times(new AtomicLongArray(count), new AtomicLongArray(count));
    AtomicInteger next = new AtomicInteger();
    long began = System.nanoTime();
    try (Crew crew = new Crew(threads)) {
      crew.repeatWhile(
          () -> {
            int number = next.getAndIncrement();
            if (number >= count) {
              return false;
            }
            TimeUnit.NANOSECONDS.sleep(began + gaps[number] - System.nanoTime());
            times.called.set(number, WallClock.micros());
            contender.append(List.of(Job.of(number).after(delay(number))));
            times.returned.set(number, WallClock.micros());
            return true;
          });
      crew.join();
    }
    return times;
  }

  /** How long after its append this message is due; any part of the range as often as another. */
  Duration delay(int number) {
    long range = longest.minus(shortest).toMillis();
    return range == 0 ? shortest : shortest.plusMillis(number * 7_919L % range);
  }

  /** How long after the start each message is written: gaps of half to one and a half the mean. */
  private long[] gaps() {
    Random random = new Random(SEED);
    long[] at = new long[count];
    double sum = 0;
    for (int i = 0; i < count; i++) {
      sum += (0.5 + random.nextDouble()) * 1e9 / rate;
      at[i] = (long) sum;
    }
    return at;
  }
}

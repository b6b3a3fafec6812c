package dev.mailroom.benchmarks;

import java.util.Arrays;
import java.util.Locale;

/**
 * Whether draining in order slows down as the backlog grows: the same number of messages in many
 * small backlogs, in some, and in one large one, interleaved.
 */
final class Growth {
  private static final int[] SIZES = {10_000, 100_000, 1_000_000};
  private static final int MESSAGES = 1_000_000;
  private static final int ROUNDS = 5;

  void run() throws Exception {
    measure("100,000 groups", 100_000, false);
    measure("one hot group", 1, false);
    measure("100,000 groups, batched", 100_000, true);
    measure("one hot group, batched", 1, true);
  }

  private static void measure(String what, int groups, boolean batched) throws Exception {
    System.out.printf("%nGrowth: a backlog drained in order, %s%n", what);
    InMemoryInbox inbox =
        new InMemoryInbox(new InMemoryInbox.Setup("ordered", batched, 1, 1_000, 10, groups));
    double[][] rates = new double[SIZES.length][ROUNDS];
    for (int round = -1; round < ROUNDS; round++) {
      for (int i = 0; i < SIZES.length; i++) {
        double rate = rate(inbox, SIZES[i]);
        if (round >= 0) {
          rates[i][round] = rate;
        }
      }
    }
    for (int i = 0; i < SIZES.length; i++) {
      System.out.printf(
          Locale.ROOT,
          "  %,10d messages %,12.0f msg/s   %.2f of the rate with %,d%n",
          SIZES[i],
          median(rates[i]),
          median(rates[i]) / median(rates[0]),
          SIZES[0]);
    }
  }

  private static double rate(InMemoryInbox inbox, int size) throws Exception {
    long nanos = 0;
    for (int done = 0; done < MESSAGES; done += size) {
      nanos += inbox.drain(size);
    }
    return MESSAGES * 1e9 / nanos;
  }

  private static double median(double[] values) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    return sorted[sorted.length / 2];
  }
}

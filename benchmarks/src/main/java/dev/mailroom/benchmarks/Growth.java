package dev.mailroom.benchmarks;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Whether ordered draining slows down as the backlog grows. */
final class Growth {
  private static final int[] SIZES = {10_000, 100_000, 1_000_000};
  private static final int ROUNDS = 3;

  void run() throws Exception {
    measure("100,000 groups", 100_000, false);
    measure("one hot group", 1, false);
    measure("100,000 groups, batched", 100_000, true);
    measure("one hot group, batched", 1, true);
  }

  private static void measure(String what, int groups, boolean batched) throws Exception {
    System.out.printf("%nGrowth: a backlog drained in order, %s%n", what);
    List<Double> rates = new ArrayList<>();
    for (int size : SIZES) {
      InMemoryInbox.Setup setup =
          new InMemoryInbox.Setup("ordered", batched, 1, 1_000, 10, groups, true);
      // A small backlog is drained several times, so that each rate stands on as many messages.
      rates.add(
          new Rounds(ROUNDS, 1, size).measure(List.of(new InMemoryInbox(setup))).median("ordered"));
    }
    for (int i = 0; i < SIZES.length; i++) {
      System.out.printf(
          Locale.ROOT,
          "  %,10d messages %,12.0f msg/s   %.2f of the rate with %,d%n",
          SIZES[i],
          rates.get(i),
          rates.get(i) / rates.get(0),
          SIZES[0]);
    }
  }
}

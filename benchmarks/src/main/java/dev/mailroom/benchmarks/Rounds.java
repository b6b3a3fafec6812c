package dev.mailroom.benchmarks;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Measures contenders in interleaved rounds: each round runs every contender once, so that whatever
 * else the machine does hits all of them alike. What counts are the ratios of the medians.
 */
final class Rounds {
  private final int rounds;
  private final int warmUps;
  private final int messages;
  private final Map<String, double[]> rates = new LinkedHashMap<>();

  Rounds(int rounds, int warmUps, int messages) {
    this.rounds = rounds;
    this.warmUps = warmUps;
    this.messages = messages;
  }

  Rounds measure(List<Contender> contenders) throws Exception {
    for (Contender contender : contenders) {
      rates.put(contender.name(), new double[rounds]);
    }
    for (int round = -warmUps; round < rounds; round++) {
      System.out.printf("  %s %d ", round < 0 ? "warm-up" : "round", Math.abs(round) + 1);
      for (Contender contender : contenders) {
        System.gc();
        long began = System.nanoTime();
        contender.run(messages);
        double rate = messages * 1e9 / (System.nanoTime() - began);
        System.out.printf(Locale.ROOT, " %s %,.0f/s", contender.name(), rate);
        if (round >= 0) {
          rates.get(contender.name())[round] = rate;
        }
      }
      System.out.println();
    }
    return this;
  }

  double median(String contender) {
    double[] sorted = rates.get(contender).clone();
    Arrays.sort(sorted);
    return sorted[sorted.length / 2];
  }

  /** A table with the median of each contender, its spread, and its ratio to the first. */
  void print() {
    List<String> names = new ArrayList<>(rates.keySet());
    double floor = median(names.get(0));
    System.out.printf("%n  %-34s %14s %10s %8s%n", "", "median msg/s", "spread", "ratio");
    for (String name : names) {
      double[] sorted = rates.get(name).clone();
      Arrays.sort(sorted);
      double spread = (sorted[sorted.length - 1] - sorted[0]) / median(name);
      System.out.printf(
          Locale.ROOT,
          "  %-34s %,14.0f %9.0f%% %8.2f%n",
          name,
          median(name),
          spread * 100,
          median(name) / floor);
    }
    System.out.println();
  }
}

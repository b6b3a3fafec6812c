package dev.mailroom.benchmarks;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * Measures contenders in interleaved rounds: each round runs every contender once, so that whatever
 * else the machine does hits all of them alike. What counts are the ratios of the medians.
 */
final class Rounds {
  private final int rounds;
  private final int warmUps;
  private final int messages;
  private final List<Contender> contenders;
  private final double[][] rates;

  Rounds(int rounds, int warmUps, int messages, List<Contender> contenders) {
    this.rounds = rounds;
    this.warmUps = warmUps;
    this.messages = messages;
    this.contenders = contenders;
    this.rates = new double[contenders.size()][rounds];
  }

  Rounds measure() throws Exception {
    for (int round = -warmUps; round < rounds; round++) {
      String kind = round < 0 ? "warm-up" : "round";
      System.out.printf("  %s %d:", kind, round < 0 ? round + warmUps + 1 : round + 1);
      for (int i = 0; i < contenders.size(); i++) {
        System.gc();
        long began = System.nanoTime();
        contenders.get(i).run(messages);
        double rate = messages * 1e9 / (System.nanoTime() - began);
        System.out.printf(Locale.ROOT, " %,.0f", rate);
        if (round >= 0) {
          rates[i][round] = rate;
        }
      }
      System.out.println();
    }
    for (double[] sorted : rates) {
      Arrays.sort(sorted);
    }
    return this;
  }

  private double median(int contender) {
    return rates[contender][rounds / 2];
  }

  /** A table with the median of each contender, its spread, and its ratio to the first. */
  void print() {
    System.out.printf("%n  %-34s %14s %10s %8s%n", "", "median msg/s", "spread", "ratio");
    for (int i = 0; i < contenders.size(); i++) {
      double spread = (rates[i][rounds - 1] - rates[i][0]) / median(i);
      System.out.printf(
          Locale.ROOT,
          "  %-34s %,14.0f %9.0f%% %8.2f%n",
          contenders.get(i).name(),
          median(i),
          spread * 100,
          median(i) / median(0));
    }
    System.out.println();
  }
}

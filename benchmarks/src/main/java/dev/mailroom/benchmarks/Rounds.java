package dev.mailroom.benchmarks;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * Measures contenders in interleaved rounds: each round runs every contender once, so that whatever
 * else the machine does hits all of them alike. What counts are the ratios of the medians.
 */
public final class Rounds {
  private final int rounds;
  private final int warmUps;
  private final int messages;
  private final List<Contender> contenders;
  private final double[][] rates;

  /** So many rounds, after some that do not count, each of so many messages per contender. */
  public Rounds(int rounds, int warmUps, int messages, List<? extends Contender> contenders) {
    this.rounds = rounds;
    this.warmUps = warmUps;
    this.messages = messages;
    this.contenders = List.copyOf(contenders);
    this.rates = new double[contenders.size()][rounds];
  }

  /** Runs them all, telling how it goes. */
  public Rounds measure() throws Exception {
    for (int round = -warmUps; round < rounds; round++) {
      String kind = round < 0 ? "warm-up" : "round";
      System.out.printf("  %s %d:", kind, round < 0 ? round + warmUps + 1 : round + 1);
      for (int i = 0; i < contenders.size(); i++) {
        double rate = rate(contenders.get(i));
        System.out.printf(Locale.ROOT, " %,.0f", rate);
        System.out.flush();
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

  private double rate(Contender contender) throws Exception {
    contender.prepare(messages);
    System.gc();
    long began = System.nanoTime();
    contender.run(messages);
    double rate = messages * 1e9 / (System.nanoTime() - began);
    contender.finish(messages);
    return rate;
  }

  private double median(int contender) {
    return rates[contender][rounds / 2];
  }

  /** How many times the median rate of another contender this one has. */
  public double ratio(int contender, int other) {
    return median(contender) / median(other);
  }

  /** The index of the contender with the highest median. */
  public int best() {
    int best = 0;
    for (int i = 1; i < contenders.size(); i++) {
      best = median(i) > median(best) ? i : best;
    }
    return best;
  }

  /** A table with the ratio of each contender to the first, its median and its spread. */
  public String table() {
    StringBuilder table = new StringBuilder();
    table.append("| | ratio | goal | median msg/s | spread |\n|---|---|---|---|---|\n");
    for (int i = 0; i < contenders.size(); i++) {
      double goal = contenders.get(i).goal();
      table.append(
          String.format(
              Locale.ROOT,
              "| %s | %.2f | %s | %,.0f | %.0f%% |%n",
              contenders.get(i).name(),
              ratio(i, 0),
              goal == 0 ? "" : String.format(Locale.ROOT, "%.2f", goal),
              median(i),
              (rates[i][rounds - 1] - rates[i][0]) / median(i) * 100));
    }
    return table.toString();
  }
}

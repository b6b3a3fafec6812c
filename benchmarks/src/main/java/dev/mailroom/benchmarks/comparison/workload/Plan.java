package dev.mailroom.benchmarks.comparison.workload;

import java.time.Duration;
import java.util.List;

/**
 * How long and how much.
 *
 * @param timing how long
 * @param sizes how much
 */
record Plan(Timing timing, Sizes sizes) {

  /**
   * How long.
   *
   * @param sweep how long each setup of a contender is tried; zero to take the first
   * @param warmUp how long the round lasts that does not count
   * @param rounds how many rounds count
   * @param run how long one contender is measured in a round
   * @param latency the same, where single messages are looked at
   */
  record Timing(Duration sweep, Duration warmUp, int rounds, Duration run, Duration latency) {}

  /**
   * How much.
   *
   * @param backlog the most messages that are there to be drained
   * @param threads how many append at once
   * @param groups how many ordered groups
   * @param pending how many messages wait while others are handled
   * @param delayed how many messages are not due yet
   * @param cost of how many messages the cost is taken
   */
  record Sizes(
      int backlog,
      List<Integer> threads,
      List<Integer> groups,
      List<Integer> pending,
      int delayed,
      int cost) {}

  /** Less than three minutes: shows that all works, and roughly how it stands. */
  static Plan quick() {
    return new Plan(
        new Timing(
            Duration.ZERO,
            Duration.ofMillis(300),
            1,
            Duration.ofMillis(700),
            Duration.ofMillis(1_500)),
        new Sizes(40_000, List.of(8, 64), List.of(1_000), List.of(10_000, 50_000), 50_000, 300));
  }

  /** At most forty minutes on two cores. */
  static Plan full() {
    return new Plan(
        new Timing(
            Duration.ofMillis(1_500),
            Duration.ofMillis(1_500),
            3,
            Duration.ofSeconds(3),
            Duration.ofSeconds(8)),
        new Sizes(
            250_000,
            List.of(1, 8, 64),
            List.of(10, 1_000, 100_000),
            List.of(10_000, 100_000, 1_000_000),
            1_000_000,
            4_000));
  }

  static Plan of(boolean quick) {
    return quick ? quick() : full();
  }
}

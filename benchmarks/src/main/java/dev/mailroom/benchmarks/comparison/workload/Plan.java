package dev.mailroom.benchmarks.comparison.workload;

import java.time.Duration;
import java.util.List;

/**
 * How long and how much.
 *
 * @param timing how long
 * @param sizes how much
 * @param limit how long all of it may take: what begins later has one round only
 */
record Plan(Timing timing, Sizes sizes, Duration limit) {

  /**
   * How long.
   *
   * @param sweep how long each setup of a contender is tried; zero to take the first
   * @param warmUp how long the round lasts that does not count, where runs do not warm up
   *     themselves
   * @param rounds how many rounds count
   * @param run how long one contender is measured in a round
   * @param latency the same, where single messages are looked at
   * @param busy the same, where they are looked at while many others come; zero to leave that out
   */
  record Timing(
      Duration sweep, Duration warmUp, int rounds, Duration run, Duration latency, Duration busy) {}

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
            Duration.ofMillis(500),
            Duration.ofMillis(1_200),
            Duration.ZERO),
        new Sizes(40_000, List.of(8), List.of(1_000), List.of(10_000, 50_000), 50_000, 300),
        Duration.ofMinutes(3));
  }

  /** About half an hour on two cores. */
  static Plan full() {
    return new Plan(
        new Timing(
            Duration.ofSeconds(1),
            Duration.ofSeconds(6),
            3,
            Duration.ofSeconds(2),
            Duration.ofSeconds(4),
            Duration.ofSeconds(3)),
        new Sizes(
            150_000,
            List.of(1, 8, 64),
            List.of(10, 1_000, 100_000),
            List.of(10_000, 100_000, 1_000_000),
            1_000_000,
            3_000),
        Duration.ofMinutes(30));
  }

  static Plan of(boolean quick) {
    return quick ? quick() : full();
  }
}

package dev.mailroom.benchmarks.comparison.workload;

import java.time.Duration;
import java.util.List;

/** Everything but latency under load once, as short as it can be. */
final class TinyPlan {
  static final Plan PLAN =
      new Plan(
          new Plan.Timing(
              Duration.ZERO,
              Duration.ZERO,
              1,
              Duration.ofMillis(50),
              Duration.ofMillis(200),
              Duration.ZERO),
          new Plan.Sizes(2_000, List.of(2), List.of(10), List.of(1_000), 500, 100),
          Duration.ofMinutes(3));

  private TinyPlan() {}
}

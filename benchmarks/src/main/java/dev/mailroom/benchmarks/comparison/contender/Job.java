package dev.mailroom.benchmarks.comparison.contender;

import java.time.Duration;

/**
 * What is stored.
 *
 * @param number gives the payload, from 0
 * @param group the jobs of one group are handled in order; empty if it has none
 * @param delay how long after the append it is due; zero for at once
 */
public record Job(long number, String group, Duration delay) {

  /** One without a group that is due at once. */
  public static Job of(long number) {
    return new Job(number, "", Duration.ZERO);
  }

  /** The same in that group. */
  public Job in(String newGroup) {
    return new Job(number, newGroup, delay);
  }

  /** The same, due later. */
  public Job after(Duration newDelay) {
    return new Job(number, group, newDelay);
  }
}

package dev.mailroom.benchmarks.comparison.workload;

import dev.mailroom.benchmarks.comparison.contender.Contender;
import dev.mailroom.benchmarks.comparison.contender.Job;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Jobs by their numbers.
 *
 * @param groups how many groups they take turns in; 0 for none
 * @param delay how long after their append they are due
 */
record Jobs(int groups, Duration delay) {
  private static final int BATCH = 500;

  /** Due at once, in so many groups. */
  static Jobs in(int groups) {
    return new Jobs(groups, Duration.ZERO);
  }

  /** The jobs from that number on. */
  List<Job> of(long first, int count) {
    List<Job> jobs = new ArrayList<>(count);
    for (long number = first; number < first + count; number++) {
      jobs.add(new Job(number, groups == 0 ? "" : "group-" + number % groups, delay));
    }
    return jobs;
  }

  /** Appends so many in large transactions. */
  void fill(Contender contender, long first, long count) throws Exception {
    for (long number = first; number < first + count; number += BATCH) {
      contender.append(of(number, (int) Math.min(BATCH, first + count - number)));
    }
  }
}

package dev.mailroom.benchmarks.comparison.peers;

import dev.mailroom.benchmarks.comparison.contender.Contender;
import dev.mailroom.benchmarks.comparison.contender.Job;
import java.util.List;

/** One whose append is part of a transaction of the caller's, in which there may be other work. */
interface TransactionalPeer extends Contender {

  /** Appends these jobs and does the work, all in one transaction; if the work fails, neither. */
  void append(List<Job> jobs, Runnable work);

  @Override
  default void append(List<Job> jobs) {
    append(jobs, () -> {});
  }
}

package dev.mailroom.benchmarks.comparison.workload;

import dev.mailroom.benchmarks.comparison.contender.Contender;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

/** Appends in large transactions while not too many messages wait. */
final class Pump implements AutoCloseable {
  private static final int MOST = 500;

  private final Contender contender;
  private final Tally tally;
  private final Jobs jobs;
  private final int bound;
  private final AtomicLong appended = new AtomicLong();
  private final Crew crew = new Crew(1);

  /** Begins at once, and lets about so many wait. */
  Pump(Contender contender, Tally tally, Jobs jobs, int bound) {
    this.contender = contender;
    this.tally = tally;
    this.jobs = jobs;
    this.bound = bound;
    crew.repeat(this::append);
  }

  private void append() throws Exception {
    long next = appended.get();
    if (next - tally.handled() < bound) {
      int batch = Math.min(MOST, bound);
      contender.append(jobs.of(next, batch));
      appended.set(next + batch);
    } else {
      Thread.sleep(1);
    }
  }

  /** Goes on for that long. Fails if an append has failed. */
  void work(Duration time) throws InterruptedException {
    crew.work(time);
  }

  /** Ends after the append that goes on. Answers how many were appended in all. */
  long end() throws InterruptedException {
    crew.end();
    return appended.get();
  }

  @Override
  public void close() {
    crew.close();
  }
}

package dev.mailroom.benchmarks.postgres;

import dev.mailroom.Mailroom;
import dev.mailroom.Result;
import dev.mailroom.jdbc.JdbcStore;
import dev.mailroom.processes.FiredTimeout;
import dev.mailroom.processes.Timeout;
import dev.mailroom.processes.Timeouts;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;

/** How long after its due time a timeout arrives, with nothing else to do. */
final class TimeoutsPart {
  static final String HERE = "here";
  private static final int SHORTEST = 50;
  private static final int LONGEST = 250;

  private final Report report;
  private final int samples;
  private final int warmUp;

  TimeoutsPart(Settings settings, Report report) {
    this.report = report;
    this.samples = settings.number("messages", 500);
    this.warmUp = samples / 5;
  }

  void run() throws Exception {
    try (BenchDatabase database = BenchDatabase.open()) {
      JdbcStore.builder(database.pool(1)).migrateAtStart(true).build().close();
      report.say(
          "Due to arrived, idle, %d timeouts due %d to %d ms after their request, with gaps of %d"
              + " to %d ms:%n",
          samples, SHORTEST, LONGEST, Gaps.SHORTEST, Gaps.LONGEST);
      report.say("| | p50 | goal | p95 | p99 | goal | largest |%n|---|---|---|---|---|---|---|");
      say("requested by the same process", "5 ms", "50 ms", sameProcess(database));
      say("requested by another process", "", "1 s", otherProcess(database));
    }
  }

  private long[] sameProcess(BenchDatabase database) throws Exception {
    Arrivals arrivals = new Arrivals();
    Timeouts timeouts = Timeouts.builder().destination(HERE, arrivals::note).build();
    try (JdbcStore store = JdbcStore.builder(database.pool(10)).build();
        Mailroom mailroom = Mailroom.builder().store(store).add(timeouts).build()) {
      mailroom.start();
      for (int i = 0; i < samples + warmUp; i++) {
        request(timeouts);
      }
      return arrivals.awaitAll();
    }
  }

  private long[] otherProcess(BenchDatabase database) throws Exception {
    Arrivals arrivals = new Arrivals();
    Timeouts timeouts = Timeouts.builder().destination(HERE, arrivals::note).build();
    try (JdbcStore store = JdbcStore.builder(database.pool(10)).build();
        Mailroom mailroom = Mailroom.builder().store(store).add(timeouts).build()) {
      mailroom.start();
      ChildProcess.run(TimeoutRequester.class, database.jdbcUrl(), samples + warmUp);
      return arrivals.awaitAll();
    }
  }

  /** Requests one, after a pause. */
  static void request(Timeouts timeouts) throws InterruptedException {
    Gaps.pause();
    int delay = ThreadLocalRandom.current().nextInt(SHORTEST, LONGEST);
    timeouts.request(Timeout.after(HERE, Duration.ofMillis(delay)));
  }

  /** How late timeouts were, by the clock that the server and this process share. */
  private final class Arrivals {
    private final long[] late = new long[samples + warmUp];
    private final AtomicInteger count = new AtomicInteger();
    private final CountDownLatch left = new CountDownLatch(samples + warmUp);

    Result note(FiredTimeout timeout) {
      long now = WallClock.micros();
      late[count.getAndIncrement()] =
          now - ChronoUnit.MICROS.between(Instant.EPOCH, timeout.dueAt());
      left.countDown();
      return Result.success();
    }

    /** Sorted, without those of the warm-up. */
    long[] awaitAll() throws InterruptedException {
      left.await();
      long[] measured = Arrays.copyOfRange(late, warmUp, late.length);
      Arrays.sort(measured);
      return measured;
    }
  }

  private void say(String what, String goal, String goalOfMost, long[] sorted) {
    report.say(
        "| %s | %.2f ms | %s | %.2f ms | %.2f ms | %s | %.2f ms |",
        what,
        sorted[sorted.length / 2] / 1e3,
        goal,
        sorted[sorted.length * 95 / 100] / 1e3,
        sorted[sorted.length * 99 / 100] / 1e3,
        goalOfMost,
        sorted[sorted.length - 1] / 1e3);
  }
}

package dev.mailroom.benchmarks.postgres;

import com.zaxxer.hikari.HikariDataSource;
import dev.mailroom.Inbox;
import dev.mailroom.Mailroom;
import dev.mailroom.Result;
import dev.mailroom.jackson.JacksonCodec;
import dev.mailroom.jdbc.JdbcStore;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLongArray;

/** The time from a write's return to its handler's start, with nothing else to do. */
final class LatencyPart {
  private static final double GOAL_SAME = 2;
  private static final double GOAL_OTHER = 5;

  private final Report report;
  private final int samples;
  private final int warmUp;

  LatencyPart(Settings settings, Report report) {
    this.report = report;
    this.samples = settings.number("messages", 500);
    this.warmUp = samples / 5;
  }

  void run() throws Exception {
    try (BenchDatabase database = BenchDatabase.open()) {
      JdbcStore.builder(database.pool(1)).migrateAtStart(true).build().close();
      report.say(
          "Write returned to handler started, idle, %d messages with gaps of %d to %d ms:%n",
          samples, Gaps.SHORTEST, Gaps.LONGEST);
      report.say("| | p50 | goal | p95 | p99 | largest |%n|---|---|---|---|---|---|");
      say("written by the same process", GOAL_SAME, sameProcess(database));
      say("written by another process", GOAL_OTHER, otherProcess(database));
    }
  }

  private long[] sameProcess(BenchDatabase database) throws Exception {
    HikariDataSource pool = database.pool(10);
    Started started = new Started(samples + warmUp);
    long[] returned = new long[samples + warmUp];
    try (JdbcStore store = JdbcStore.builder(pool).build();
        Mailroom mailroom = mailroom(store, started)) {
      mailroom.start();
      Inbox inbox = mailroom.inbox(MailroomDrain.INBOX);
      for (int i = 0; i < returned.length; i++) {
        Gaps.pause();
        inbox.write(Order.of(i));
        returned[i] = WallClock.micros();
      }
      started.awaitAll();
    }
    return latencies(returned, started);
  }

  private long[] otherProcess(BenchDatabase database) throws Exception {
    HikariDataSource pool = database.pool(10);
    Started started = new Started(samples + warmUp);
    long[] returned;
    try (JdbcStore store = JdbcStore.builder(pool).build();
        Mailroom mailroom = mailroom(store, started)) {
      mailroom.start();
      returned = ChildProcess.run(LatencyWriter.class, database.jdbcUrl(), samples + warmUp);
      started.awaitAll();
    }
    return latencies(returned, started);
  }

  private static Mailroom mailroom(JdbcStore store, Started started) {
    return Mailroom.builder()
        .store(store)
        .codec(new JacksonCodec())
        .contract(Order.class, "bench.order", 1)
        .inbox(
            MailroomDrain.INBOX,
            inbox ->
                inbox.handler(
                    Order.class,
                    delivery -> {
                      started.note(delivery.payload().index(), WallClock.micros());
                      return Result.success();
                    }))
        .build();
  }

  /** When handlers started. */
  private static final class Started {
    private final AtomicLongArray at;
    private final CountDownLatch left;

    Started(int messages) {
      at = new AtomicLongArray(messages);
      left = new CountDownLatch(messages);
    }

    void note(int message, long micros) {
      if (at.getAndSet(message, micros) != 0) {
        throw new IllegalStateException("Message " + message + " was handled twice");
      }
      left.countDown();
    }

    void awaitAll() throws InterruptedException {
      left.await();
    }
  }

  /** Sorted, without those of the warm-up; a handler that started before the return counts as 0. */
  private long[] latencies(long[] returned, Started started) {
    List<Long> all = new ArrayList<>();
    for (int i = warmUp; i < returned.length; i++) {
      all.add(Math.max(0, started.at.get(i) - returned[i]));
    }
    long[] sorted = all.stream().mapToLong(Long::longValue).toArray();
    Arrays.sort(sorted);
    return sorted;
  }

  private void say(String what, double goal, long[] sorted) {
    report.say(
        "| %s | %.2f ms | %.0f ms | %.2f ms | %.2f ms | %.2f ms |",
        what,
        sorted[sorted.length / 2] / 1e3,
        goal,
        sorted[sorted.length * 95 / 100] / 1e3,
        sorted[sorted.length * 99 / 100] / 1e3,
        sorted[sorted.length - 1] / 1e3);
  }
}

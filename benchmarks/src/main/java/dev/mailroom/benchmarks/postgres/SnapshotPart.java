package dev.mailroom.benchmarks.postgres;

import com.zaxxer.hikari.HikariDataSource;
import dev.mailroom.jdbc.JdbcStore;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Appending and draining together, as fast as it goes, while somebody holds an old snapshot open:
 * nothing that was removed since then can be cleaned away, and lies in everybody's way.
 */
final class SnapshotPart {
  private static final int GROUPS = 1_000;
  private static final int BACKLOG = 20_000;
  private static final int APPEND_BATCH = 500;
  private static final int MOST_PER_SECOND = 120_000;
  private static final int SLICE_SECONDS = 10;
  private static final int WARM_UP_SECONDS = 20;
  private static final double GOAL_FIRST = 0.7;
  private static final double GOAL_LAST = 0.8;

  private final Settings settings;
  private final Report report;

  SnapshotPart(Settings settings, Report report) {
    this.settings = settings;
    this.report = report;
  }

  void run() throws Exception {
    int seconds = settings.number("seconds", 60 * settings.number("minutes", 5));
    int minute = Math.min(60, seconds);
    try (BenchDatabase database = BenchDatabase.open()) {
      HikariDataSource pool = database.pool(10);
      RawFloor.createTable(database);
      JdbcStore.builder(pool).migrateAtStart(true).build().close();
      List<Flow> flows = new ArrayList<>();
      flows.add(new MailroomFlow(database, pool, 0));
      flows.add(new MailroomFlow(database, pool, GROUPS));
      flows.add(new FloorFlow(database, pool));
      List<String> rows = new ArrayList<>();
      for (Flow flow : flows) {
        if (settings.isWanted(flow.name())) {
          report.say("%s, to warm up:", flow.name());
          measure(flow, Math.min(WARM_UP_SECONDS, seconds));
          report.say("%s, without a snapshot:", flow.name());
          double base = mean(measure(flow, minute), minute);
          report.say("%s, with a snapshot held open:", flow.name());
          List<Double> slices;
          try (Connection snapshot = holdSnapshot(database)) {
            slices = measure(flow, seconds);
            snapshot.rollback();
          }
          rows.add(row(flow, base, slices, minute));
        }
      }
      report.say(
          "%n| append and drain, %,d waiting at most | first minute to without | goal"
              + " | last minute to first | goal | without msg/s | first | last |",
          BACKLOG);
      report.say("|---|---|---|---|---|---|---|---|");
      rows.forEach(row -> report.say("%s", row));
    }
  }

  private static String row(Flow flow, double base, List<Double> slices, int minute) {
    double first = mean(slices, minute);
    int inMinute = Math.max(1, minute / SLICE_SECONDS);
    double last = mean(slices.subList(slices.size() - inMinute, slices.size()), minute);
    return String.format(
        "| %s | %.2f | %.2f | %.2f | %.2f | %,.0f | %,.0f | %,.0f |",
        flow.name(), first / base, GOAL_FIRST, last / first, GOAL_LAST, base, first, last);
  }

  /** The mean of the slices of the first so many seconds. */
  private static double mean(List<Double> slices, int seconds) {
    return slices.stream()
        .limit(Math.max(1, seconds / SLICE_SECONDS))
        .mapToDouble(Double::doubleValue)
        .average()
        .orElse(0);
  }

  /** A transaction that has read something and now sees all that was there at that time. */
  private static Connection holdSnapshot(BenchDatabase database) throws SQLException {
    Connection connection = database.connection();
    connection.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
    connection.setAutoCommit(false);
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("SELECT count(*) FROM mailroom_channel")) {
      row.next();
    }
    return connection;
  }

  /** Messages handled per second, in slices of ten seconds. */
  private List<Double> measure(Flow flow, int seconds) throws Exception {
    int most = MOST_PER_SECOND * (seconds + SLICE_SECONDS);
    Ledger ledger = new Ledger(most);
    List<Double> rates = new ArrayList<>();
    flow.start(ledger);
    try {
      Pump pump = new Pump(flow, ledger, most);
      pump.start();
      try {
        long began = System.nanoTime();
        int before = 0;
        long from = began;
        for (int end = SLICE_SECONDS; end <= seconds; end += SLICE_SECONDS) {
          TimeUnit.NANOSECONDS.sleep(began + TimeUnit.SECONDS.toNanos(end) - System.nanoTime());
          long now = System.nanoTime();
          int handled = ledger.handled();
          rates.add((handled - before) * 1e9 / (now - from));
          before = handled;
          from = now;
          pump.check();
          report.say("- %d s: %,.0f msg/s", end, rates.get(rates.size() - 1));
          if (end % 60 == 0) {
            report.say(
                "- minute %d: %,.0f msg/s",
                end / 60, mean(rates.subList(rates.size() - 6, rates.size()), 60));
          }
        }
      } finally {
        pump.end();
      }
      ledger.awaitHandled(pump.written());
      ledger.checkFirst(pump.written());
    } finally {
      flow.stop();
    }
    return rates;
  }

  /** Appends while not too much waits. */
  private static final class Pump extends Thread {
    private final Flow flow;
    private final Ledger ledger;
    private final int most;
    private final AtomicReference<@Nullable Exception> failure = new AtomicReference<>();
    private volatile boolean ended;
    private volatile int written;

    Pump(Flow flow, Ledger ledger, int most) {
      super("pump");
      this.flow = flow;
      this.ledger = ledger;
      this.most = most;
    }

    @Override
    public void run() {
      try {
        int next = 0;
        while (!ended && next + APPEND_BATCH <= most) {
          if (next - ledger.handled() < BACKLOG) {
            flow.append(next, APPEND_BATCH);
            next += APPEND_BATCH;
            written = next;
          } else {
            Thread.sleep(1);
          }
        }
      } catch (Exception e) {
        failure.set(e);
      }
    }

    int written() {
      return written;
    }

    void end() throws InterruptedException {
      ended = true;
      join();
    }

    void check() {
      Exception e = failure.get();
      if (e != null) {
        throw new IllegalStateException("Appending failed", e);
      }
    }
  }
}

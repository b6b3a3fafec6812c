package dev.mailroom.benchmarks.postgres;

import com.zaxxer.hikari.HikariDataSource;
import dev.mailroom.benchmarks.Rounds;
import dev.mailroom.benchmarks.postgres.MailroomDrain.Handlers;
import dev.mailroom.jdbc.JdbcStore;
import java.util.List;

/** How fast an outbox is dispatched in process, beside an inbox with the same handler. */
final class OutboxPart {
  private static final int POOL = 10;
  private static final double GOAL = 0.8;

  private final Settings settings;
  private final Report report;

  OutboxPart(Settings settings, Report report) {
    this.settings = settings;
    this.report = report;
  }

  void run() throws Exception {
    try (BenchDatabase database = BenchDatabase.open()) {
      HikariDataSource pool = database.pool(POOL);
      JdbcStore.builder(pool).migrateAtStart(true).build().close();
      measure(database, pool, 0);
      measure(database, pool, 1_000);
    }
  }

  private void measure(BenchDatabase database, HikariDataSource pool, int keys) throws Exception {
    int messages = settings.number("messages", 50_000);
    int rounds = settings.number("rounds", 3);
    int warmUps = settings.number("warmUps", 2);
    report.say("%,d messages, %,d keys, %d interleaved rounds", messages, keys, rounds);
    List<Metered> contenders =
        List.of(
            new Metered(drain(database, pool, "inbox", 0, Handlers.SINGLE, keys), database),
            new Metered(drain(database, pool, "outbox", GOAL, Handlers.OUTBOX, keys), database));
    report.say("%n%s", new Rounds(rounds, warmUps, messages, contenders).measure().table());
    report.say("%n%s", Metered.table(contenders, rounds));
  }

  private MailroomDrain drain(
      BenchDatabase database,
      HikariDataSource pool,
      String name,
      double goal,
      Handlers handlers,
      int keys) {
    int readBatch = settings.number("readBatch", 500);
    int concurrency = settings.number("concurrency", 4);
    return new MailroomDrain(
        database,
        pool,
        new MailroomDrain.Setup(name, goal, handlers, keys, readBatch, concurrency));
  }
}

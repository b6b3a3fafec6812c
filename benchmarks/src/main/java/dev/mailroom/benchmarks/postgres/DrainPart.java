package dev.mailroom.benchmarks.postgres;

import com.zaxxer.hikari.HikariDataSource;
import dev.mailroom.benchmarks.Contender;
import dev.mailroom.benchmarks.Rounds;
import dev.mailroom.benchmarks.postgres.MailroomDrain.Handlers;
import dev.mailroom.jdbc.JdbcStore;
import java.util.ArrayList;
import java.util.List;

/** How fast a backlog is drained, beside a loop in raw SQL. */
final class DrainPart {
  private static final int POOL = 10;
  private static final int[] BATCHES = {100, 500, 1_000};
  private static final int[] CONNECTIONS = {1, 2, 4};
  private static final int SWEEP_ROUNDS = 2;

  private final Settings settings;
  private final Report report;

  DrainPart(Settings settings, Report report) {
    this.settings = settings;
    this.report = report;
  }

  void run() throws Exception {
    int messages = settings.number("messages", 100_000);
    int rounds = settings.number("rounds", 3);
    int warmUps = settings.number("warmUps", 3);
    try (BenchDatabase database = BenchDatabase.open()) {
      HikariDataSource pool = database.pool(POOL);
      RawFloor.createTable(database);
      QueueFloor.createTable(database);
      JdbcStore.builder(pool).migrateAtStart(true).build().close();
      List<Contender> contenders = new ArrayList<>();
      contenders.add(new RawFloor(database, pool, new RawFloor.Shape(500, 1, true)));
      contenders.addAll(inboxes(database, pool));
      contenders.removeIf(contender -> !settings.isWanted(contender.name()));
      RawFloor floor = floor(database, pool, messages);
      contenders.add(0, new QueueFloor(database, pool, floor.shape()));
      contenders.add(0, floor);
      report.say("Drain: %,d messages, %d interleaved rounds, in this order:", messages, rounds);
      contenders.forEach(contender -> report.say("- %s", contender.name()));
      if (!settings.text("statements").isEmpty()) {
        Statements.count(database);
        contenders.replaceAll(contender -> new Statements(contender, database, report));
      }
      List<Metered> metered =
          contenders.stream().map(contender -> new Metered(contender, database)).toList();
      report.say("%n%s", new Rounds(rounds, warmUps, messages, metered).measure().table());
      report.say("%n%s", Metered.table(metered, rounds));
    }
  }

  /** The best of a sweep, unless its shape is given: batch, connections. */
  private RawFloor floor(BenchDatabase database, HikariDataSource pool, int messages)
      throws Exception {
    String given = settings.text("floor");
    if (!given.isEmpty()) {
      String[] shape = given.split(",", 2);
      int batch = Integer.parseInt(shape[0]);
      int connections = Integer.parseInt(shape[1]);
      return new RawFloor(database, pool, new RawFloor.Shape(batch, connections, false));
    }
    List<RawFloor> floors = floors(database, pool);
    report.say("Sweep of the floor: %,d messages, %d rounds", messages, SWEEP_ROUNDS);
    Rounds sweep = new Rounds(SWEEP_ROUNDS, 1, messages, floors).measure();
    report.say("%n%s", sweep.table());
    return floors.get(sweep.best());
  }

  private static List<RawFloor> floors(BenchDatabase database, HikariDataSource pool) {
    List<RawFloor> floors = new ArrayList<>();
    for (int connections : CONNECTIONS) {
      for (int batch : BATCHES) {
        floors.add(new RawFloor(database, pool, new RawFloor.Shape(batch, connections, false)));
      }
    }
    return floors;
  }

  private List<Contender> inboxes(BenchDatabase database, HikariDataSource pool) {
    int readBatch = settings.number("readBatch", 1_000);
    int concurrency = settings.number("concurrency", 4);
    List<Contender> inboxes = new ArrayList<>();
    for (MailroomDrain.Setup setup :
        List.of(
            new MailroomDrain.Setup(
                "single handlers", 0.7, Handlers.SINGLE, 0, readBatch, concurrency),
            new MailroomDrain.Setup(
                "batched handlers", 0.85, Handlers.BATCHED, 0, readBatch, concurrency),
            new MailroomDrain.Setup(
                "transactional batches", 0.8, Handlers.TRANSACTIONAL, 0, readBatch, concurrency),
            new MailroomDrain.Setup(
                "single, 1,000 groups", 0.6, Handlers.SINGLE, 1_000, readBatch, concurrency),
            new MailroomDrain.Setup(
                "batched, 1,000 groups", 0.6, Handlers.BATCHED, 1_000, readBatch, concurrency),
            new MailroomDrain.Setup(
                "single, 10 groups", 0, Handlers.SINGLE, 10, readBatch, concurrency),
            new MailroomDrain.Setup(
                "single, 100,000 groups", 0, Handlers.SINGLE, 100_000, readBatch, concurrency))) {
      inboxes.add(new MailroomDrain(database, pool, setup));
    }
    return inboxes;
  }
}

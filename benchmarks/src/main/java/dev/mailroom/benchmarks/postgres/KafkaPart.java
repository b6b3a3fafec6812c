package dev.mailroom.benchmarks.postgres;

import com.zaxxer.hikari.HikariDataSource;
import dev.mailroom.benchmarks.Contender;
import dev.mailroom.benchmarks.Rounds;
import dev.mailroom.benchmarks.postgres.MailroomDrain.Handlers;
import dev.mailroom.brokers.KafkaBroker;
import dev.mailroom.jdbc.JdbcStore;
import java.util.List;

/** How fast an outbox is published to Kafka, beside a raw producer fed by a loop in raw SQL. */
final class KafkaPart {
  private static final int POOL = 16;
  private static final double GOAL = 0.6;

  private final Settings settings;
  private final Report report;

  KafkaPart(Settings settings, Report report) {
    this.settings = settings;
    this.report = report;
  }

  void run() throws Exception {
    try (BenchDatabase database = BenchDatabase.open();
        KafkaBroker broker = KafkaBroker.open()) {
      HikariDataSource pool = database.pool(POOL);
      KafkaFloor.createTable(database);
      JdbcStore.builder(pool).migrateAtStart(true).build().close();
      KafkaTopic topic = new KafkaTopic(broker);
      measure(database, pool, topic, 0);
      measure(database, pool, topic, 1_000);
    }
  }

  private void measure(BenchDatabase database, HikariDataSource pool, KafkaTopic topic, int keys)
      throws Exception {
    int messages = settings.number("messages", 50_000);
    int rounds = settings.number("rounds", 3);
    int warmUps = settings.number("warmUps", 1);
    int readBatch = settings.number("readBatch", 500);
    report.say("%,d events, %,d keys, %d interleaved rounds", messages, keys, rounds);
    MailroomDrain.Setup setup =
        new MailroomDrain.Setup(
            "outbox to Kafka",
            GOAL,
            Handlers.BATCHED,
            keys,
            readBatch,
            settings.number("concurrency", 4));
    List<Contender> contenders =
        List.of(
            new KafkaFloor(database, pool, topic, new RawFloor.Shape(readBatch, 2, false), keys),
            new KafkaDrain(database, pool, topic, setup));
    report.say("%n%s", new Rounds(rounds, warmUps, messages, contenders).measure().table());
  }
}

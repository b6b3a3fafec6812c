package dev.mailroom.commands;

import com.zaxxer.hikari.HikariDataSource;
import dev.mailroom.databases.Database;
import dev.mailroom.databases.Durability;
import dev.mailroom.databases.PostgresServer;
import dev.mailroom.databases.PostgresVersion;
import dev.mailroom.jdbc.JdbcStore;
import dev.mailroom.test.ManualTime;
import org.junit.jupiter.api.AfterEach;

class RecurringOnPostgresTest extends RecurringCrashTest {
  private final Database database =
      PostgresServer.shared(PostgresVersion.V18, Durability.RELAXED).createDatabase();
  private final HikariDataSource pool = new HikariDataSource();
  private final ManualTime time = new ManualTime();
  private JdbcStore store;

  @Override
  Bank open() {
    pool.setJdbcUrl(database.jdbcUrl());
    pool.setMaximumPoolSize(4);
    store = JdbcStore.builder(pool).time(time).wakeUps(false).migrateAtStart(true).build();
    return new Bank(time, store);
  }

  @AfterEach
  void close() {
    store.close();
    pool.close();
    database.close();
  }
}

package dev.mailroom.jdbc;

import com.zaxxer.hikari.HikariDataSource;
import dev.mailroom.databases.Database;
import javax.sql.DataSource;

/** A migrated database, and a connection pool for each of two nodes. */
final class Pools implements AutoCloseable {
  private final Database database;
  private final HikariDataSource one;
  private final HikariDataSource other;

  Pools(Database database) {
    this.database = database;
    this.one = pool(database);
    this.other = pool(database);
    JdbcStore.builder(one).migrateAtStart(true).build();
  }

  private static HikariDataSource pool(Database database) {
    HikariDataSource pool = new HikariDataSource();
    pool.setJdbcUrl(database.jdbcUrl());
    pool.setMaximumPoolSize(10);
    pool.setMinimumIdle(0);
    return pool;
  }

  DataSource one() {
    return one;
  }

  DataSource other() {
    return other;
  }

  @Override
  public void close() {
    one.close();
    other.close();
    database.close();
  }
}

package dev.mailroom.benchmarks.comparison.workload;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.mailroom.benchmarks.comparison.contender.Ledger;
import dev.mailroom.benchmarks.comparison.contender.Place;
import dev.mailroom.databases.Database;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** An empty database for one run, and the pool that its contender gets. */
final class Arena implements AutoCloseable {
  /** The same for everyone. */
  static final int POOL = 10;

  private final Server server;
  private final Database database;
  private final HikariDataSource pool;

  private Arena(Server server, Database database, HikariDataSource pool) {
    this.server = server;
    this.database = database;
    this.pool = pool;
  }

  static Arena open(Server server) throws SQLException {
    Database database = server.borrowDatabase();
    HikariDataSource pool = pool(database.jdbcUrl());
    fill(pool);
    return new Arena(server, database, pool);
  }

  static HikariDataSource pool(String url) {
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(url);
    config.setMaximumPoolSize(POOL);
    return new HikariDataSource(config);
  }

  /** Opens all connections now, so that no run pays for it. */
  private static void fill(HikariDataSource pool) throws SQLException {
    List<Connection> all = new ArrayList<>();
    try {
      for (int i = 0; i < POOL; i++) {
        all.add(pool.getConnection());
      }
    } finally {
      for (Connection connection : all) {
        connection.close();
      }
    }
  }

  Place place(Ledger ledger) {
    return new Place(server.kind(), database.jdbcUrl(), pool, ledger);
  }

  String url() {
    return database.jdbcUrl();
  }

  Server server() {
    return server;
  }

  /** A connection outside of the pool. */
  Connection connection() throws SQLException {
    return database.dataSource().getConnection();
  }

  /** Does the housekeeping that is due before the time starts, here and in the database. */
  void settleDown() throws SQLException {
    try (Connection connection = connection()) {
      server.settleDown(connection);
    }
    System.gc();
  }

  /** Ends the pool's connections, after which the server has counted all they did. */
  void disconnect() {
    pool.close();
  }

  @Override
  public void close() {
    pool.close();
    server.giveBack(database);
  }
}

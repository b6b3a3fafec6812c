package dev.mailroom.benchmarks.postgres;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.mailroom.databases.Database;
import dev.mailroom.databases.Durability;
import dev.mailroom.databases.PostgresServer;
import dev.mailroom.databases.PostgresVersion;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import javax.sql.DataSource;

/** A database on a server with durable settings, and pools of connections to it. */
final class BenchDatabase implements AutoCloseable {
  /** What a store remembers across runs. */
  private static final String KEPT = "'mailroom_channel', 'mailroom_schema_version'";

  private final Database database;
  private final List<HikariDataSource> pools = new ArrayList<>();
  private final DataSource direct;

  private BenchDatabase(Database database) {
    this.database = database;
    this.direct = database.dataSource();
  }

  static BenchDatabase open() {
    PostgresServer server = PostgresServer.shared(PostgresVersion.V18, Durability.FULL);
    System.out.printf("PostgreSQL %s, durable settings%n", server.version());
    return new BenchDatabase(server.createDatabase());
  }

  String jdbcUrl() {
    return database.jdbcUrl();
  }

  /** A connection outside of any pool. */
  Connection connection() throws SQLException {
    return direct.getConnection();
  }

  /** A pool whose connections are open from the start. */
  HikariDataSource pool(int size) {
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(database.jdbcUrl());
    config.setMaximumPoolSize(size);
    HikariDataSource pool = new HikariDataSource(config);
    pools.add(pool);
    return pool;
  }

  /** Empties all tables, however they are called. */
  void empty() throws SQLException {
    String tables =
        text(
            "SELECT COALESCE(string_agg(quote_ident(tablename), ', '), '') FROM pg_tables"
                + " WHERE schemaname = 'public' AND tablename NOT IN ("
                + KEPT
                + ")");
    if (!tables.isEmpty()) {
      execute("TRUNCATE " + tables + " RESTART IDENTITY");
    }
  }

  /** Does the housekeeping that is due, so that nobody pays for what another has left behind. */
  void settleDown() throws SQLException {
    execute("VACUUM (ANALYZE)");
    execute("CHECKPOINT");
  }

  void execute(String sql) throws SQLException {
    try (Connection connection = direct.getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  /** The first column of the first row. */
  String text(String query) throws SQLException {
    try (Connection connection = direct.getConnection();
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(query)) {
      row.next();
      return Objects.requireNonNull(row.getString(1));
    }
  }

  /** The system's numbers of the server's processes. */
  List<Long> processes() throws SQLException {
    try (Connection connection = direct.getConnection();
        Statement statement = connection.createStatement();
        ResultSet rows =
            statement.executeQuery(
                "SELECT pid FROM pg_stat_activity WHERE pid <> pg_backend_pid()")) {
      List<Long> processes = new ArrayList<>();
      while (rows.next()) {
        processes.add(rows.getLong(1));
      }
      return processes;
    }
  }

  /** Fails unless the table holds that many rows. */
  void requireRows(String table, int expected) throws SQLException {
    int found = Integer.parseInt(text("SELECT count(*) FROM " + table));
    if (found != expected) {
      throw new IllegalStateException(table + " has " + found + " rows, not " + expected);
    }
  }

  @Override
  public void close() {
    pools.forEach(HikariDataSource::close);
    database.close();
  }
}

package dev.mailroom.benchmarks.comparison.workload;

import dev.mailroom.benchmarks.comparison.contender.DatabaseKind;
import dev.mailroom.benchmarks.comparison.results.DatabaseFacts;
import dev.mailroom.benchmarks.comparison.results.Names;
import dev.mailroom.databases.Database;
import dev.mailroom.databases.DatabaseServer;
import dev.mailroom.databases.Durability;
import dev.mailroom.databases.MariaDbServer;
import dev.mailroom.databases.PostgresServer;
import dev.mailroom.databases.PostgresVersion;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * A server with durable settings that runs as long as this JVM.
 *
 * @param kind which database it is
 * @param server the server itself
 */
record Server(DatabaseKind kind, DatabaseServer server) {
  private static final List<String> POSTGRES_SETTINGS =
      List.of(
          "fsync",
          "synchronous_commit",
          "full_page_writes",
          "wal_level",
          "shared_buffers",
          "max_wal_size",
          "checkpoint_timeout",
          "autovacuum");
  private static final List<String> MARIADB_SETTINGS =
      List.of(
          "innodb_flush_log_at_trx_commit",
          "innodb_doublewrite",
          "innodb_buffer_pool_size",
          "innodb_log_file_size",
          "log_bin",
          "sync_binlog");

  /** Starts it, if it does not run yet. */
  static Server of(DatabaseKind kind) {
    return new Server(
        kind,
        switch (kind) {
          case POSTGRESQL -> PostgresServer.shared(PostgresVersion.V18, Durability.FULL);
          case MARIADB -> MariaDbServer.shared(Durability.FULL);
        });
  }

  /** Its name in results. */
  String name() {
    return name(kind);
  }

  /** The name of such a database in results. */
  static String name(DatabaseKind kind) {
    return switch (kind) {
      case POSTGRESQL -> Names.POSTGRESQL;
      case MARIADB -> Names.MARIADB;
    };
  }

  Database createDatabase() {
    return server.createDatabase();
  }

  /** Does the housekeeping that is due, so that nobody pays for what another has left behind. */
  void settleDown(Connection connection) throws SQLException {
    if (kind == DatabaseKind.POSTGRESQL) {
      try (Statement statement = connection.createStatement()) {
        statement.execute("VACUUM (ANALYZE)");
        statement.execute("CHECKPOINT");
      }
    }
  }

  /** The system's numbers of the server's processes, or of its threads if it is one process. */
  List<Long> processes() throws SQLException, IOException {
    return switch (kind) {
      case POSTGRESQL ->
          query("SELECT pid FROM pg_stat_activity WHERE pid <> pg_backend_pid()").stream()
              .map(row -> Long.parseLong(row.get(0)))
              .toList();
      case MARIADB -> threads(Path.of(query("SELECT @@datadir, @@pid_file").get(0).get(0)));
    };
  }

  private List<Long> threads(Path data) throws SQLException, IOException {
    Path file = data.resolve(query("SELECT @@pid_file").get(0).get(0));
    if (!Files.isReadable(file)) {
      return List.of(); // on another machine
    }
    try (Stream<Path> tasks = Files.list(Path.of("/proc", Files.readString(file).trim(), "task"))) {
      return tasks.map(task -> Long.parseLong(task.getFileName().toString())).toList();
    }
  }

  /** What decides about its durability and speed. */
  DatabaseFacts facts() throws SQLException {
    Map<String, String> settings = new LinkedHashMap<>();
    List<String> names = kind == DatabaseKind.POSTGRESQL ? POSTGRES_SETTINGS : MARIADB_SETTINGS;
    String show = kind == DatabaseKind.POSTGRESQL ? "SHOW " : "SELECT @@";
    for (String name : names) {
      settings.put(name, query(show + name).get(0).get(0));
    }
    return new DatabaseFacts(name(), server.version(), settings);
  }

  private List<List<String>> query(String sql) throws SQLException {
    try (Connection connection = server.dataSource().getConnection();
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      List<List<String>> all = new ArrayList<>();
      while (rows.next()) {
        List<String> row = new ArrayList<>();
        for (int i = 1; i <= rows.getMetaData().getColumnCount(); i++) {
          row.add(rows.getString(i));
        }
        all.add(row);
      }
      return all;
    }
  }
}

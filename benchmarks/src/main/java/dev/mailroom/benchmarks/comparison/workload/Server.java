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
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.stream.Stream;

/** A server with durable settings that runs as long as this JVM, or one that was named. */
final class Server implements AutoCloseable {
  private static final List<String> POSTGRES_SETTINGS =
      List.of(
          "fsync",
          "synchronous_commit",
          "full_page_writes",
          "wal_level",
          "shared_buffers",
          "max_wal_size",
          "checkpoint_timeout",
          "autovacuum",
          "jit");
  private static final List<String> MARIADB_SETTINGS =
      List.of(
          "innodb_flush_log_at_trx_commit",
          "innodb_doublewrite",
          "innodb_buffer_pool_size",
          "innodb_log_file_size",
          "log_bin",
          "sync_binlog");

  private static final String NOT_ALLOWED = "42501";
  private static final String TABLES =
      """
      SELECT COALESCE(string_agg(quote_ident(tablename), ', '), '') FROM pg_tables
      WHERE schemaname = 'public'\
      """;

  private final DatabaseKind kind;
  private final DatabaseServer server;
  private final Deque<Database> spare = new ConcurrentLinkedDeque<>();

  private Server(DatabaseKind kind, DatabaseServer server) {
    this.kind = kind;
    this.server = server;
  }

  /** Starts it, if it does not run yet. */
  static Server of(DatabaseKind kind) {
    return new Server(
        kind,
        switch (kind) {
          case POSTGRESQL -> PostgresServer.shared(PostgresVersion.V18, Durability.FULL);
          case MARIADB -> MariaDbServer.shared(Durability.FULL);
        });
  }

  DatabaseKind kind() {
    return kind;
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

  /** An empty database, to be given back. */
  Database borrowDatabase() {
    Database database = spare.poll();
    return database == null ? server.createDatabase() : database;
  }

  /**
   * Takes a database back. PostgreSQL writes all its pages when one is removed, so there it is
   * emptied for the next run; unless somebody still uses it, who then has to go.
   */
  void giveBack(Database database) {
    if (kind == DatabaseKind.POSTGRESQL) {
      try (Connection connection = database.dataSource().getConnection();
          Statement statement = connection.createStatement()) {
        statement.execute("SET lock_timeout = '5s'");
        statement.execute("DROP SCHEMA public CASCADE");
        statement.execute("CREATE SCHEMA public");
        spare.add(database);
        return;
      } catch (SQLException e) {
        // Remove it after all.
      }
    }
    database.close();
  }

  /** Does the housekeeping that is due, so that nobody pays for what another has left behind. */
  void settleDown(Connection connection) throws SQLException {
    if (kind == DatabaseKind.POSTGRESQL) {
      try (Statement statement = connection.createStatement()) {
        String tables = Rows.query(connection, TABLES).get(0).get(0);
        if (!tables.isEmpty()) {
          statement.execute("VACUUM (ANALYZE) " + tables);
        }
        checkpoint(statement);
      }
    }
  }

  /** Not every user may ask for one; then the server makes them when it wants to. */
  private static void checkpoint(Statement statement) throws SQLException {
    try {
      statement.execute("CHECKPOINT");
    } catch (SQLException e) {
      if (!NOT_ALLOWED.equals(e.getSQLState())) {
        throw e;
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
      case MARIADB -> threads(query("SELECT @@datadir, @@pid_file").get(0));
    };
  }

  private static List<Long> threads(List<String> directoryAndFile) throws IOException {
    Path file = Path.of(directoryAndFile.get(0)).resolve(directoryAndFile.get(1));
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
    try (Connection connection = server.dataSource().getConnection()) {
      return Rows.query(connection, sql);
    }
  }

  /** Removes the databases that were left; the server itself goes with this JVM. */
  @Override
  public void close() {
    spare.forEach(Database::close);
    spare.clear();
  }
}

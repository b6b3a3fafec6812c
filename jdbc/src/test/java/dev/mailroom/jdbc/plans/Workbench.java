package dev.mailroom.jdbc.plans;

import com.zaxxer.hikari.HikariDataSource;
import dev.mailroom.databases.Database;
import dev.mailroom.databases.Durability;
import dev.mailroom.databases.PostgresServer;
import dev.mailroom.databases.PostgresVersion;
import dev.mailroom.jdbc.JdbcStore;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.function.Supplier;

/** A store whose statements are looked at: their plans, and how many pages they touched. */
final class Workbench implements AutoCloseable {
  private static final List<String> TABLES =
      List.of("message", "delayed", "lease", "turn", "turn_later", "hold", "dead");
  private static final String TOUCHED =
      """
      SELECT COALESCE(sum(shared_blks_hit + shared_blks_read), 0)::bigint
      FROM pg_stat_statements
      WHERE dbid = (SELECT oid FROM pg_database WHERE datname = current_database())
        AND query NOT LIKE '%pg_stat_statements%'""";
  private static final String FORGET =
      """
      SELECT pg_stat_statements_reset(0, oid, 0) FROM pg_database
      WHERE datname = current_database()""";

  private final Database database;
  private final HikariDataSource pool = new HikariDataSource();
  private final Connection own;
  private final Explaining explaining;
  final JdbcStore store;

  Workbench() throws SQLException {
    database = PostgresServer.shared(PostgresVersion.V18, Durability.RELAXED).createDatabase();
    own = database.dataSource().getConnection();
    // Plans are kept from the first time on, as they are in a process that has been up for a while.
    pool.setJdbcUrl(database.jdbcUrl() + "&prepareThreshold=1");
    pool.setMaximumPoolSize(1);
    pool.setConnectionInitSql(Explaining.SETTINGS);
    explaining = new Explaining(pool);
    store = JdbcStore.builder(explaining.dataSource()).wakeUps(false).migrateAtStart(true).build();
    run("CREATE EXTENSION pg_stat_statements");
    for (String table : TABLES) {
      // Nobody shall learn about the rows unless a test says so; and filling shall not take long.
      run("ALTER TABLE mailroom_" + table + " SET UNLOGGED");
      run("ALTER TABLE mailroom_" + table + " SET (autovacuum_enabled = off)");
    }
  }

  /** Removes everything but what is delayed. */
  void clear() throws SQLException {
    for (String table : TABLES) {
      if (!table.equals("delayed")) {
        run("TRUNCATE mailroom_" + table);
      }
    }
  }

  /** Gives the server a fresh idea of what is in the tables. */
  void analyze() throws SQLException {
    for (String table : TABLES) {
      run("ANALYZE mailroom_" + table);
    }
  }

  /** What a verb did. */
  record Cost<T>(T answer, List<Plan> plans, long pages) {}

  <T> Cost<T> watch(Supplier<T> verb) throws SQLException {
    number(FORGET);
    explaining.take();
    T answer = verb.get();
    return new Cost<>(answer, explaining.take(), number(TOUCHED));
  }

  void run(String sql) throws SQLException {
    try (Statement statement = own.createStatement()) {
      statement.execute(sql);
    }
  }

  long number(String sql) throws SQLException {
    try (Statement statement = own.createStatement();
        ResultSet row = statement.executeQuery(sql)) {
      row.next();
      return row.getMetaData().getColumnType(1) == java.sql.Types.BIGINT ? row.getLong(1) : 0;
    }
  }

  /** A further connection. */
  Connection connection() throws SQLException {
    return database.dataSource().getConnection();
  }

  @Override
  public void close() throws SQLException {
    store.close();
    pool.close();
    own.close();
    database.close();
  }
}

package dev.mailroom.jdbc.plans;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.mailroom.databases.Database;
import dev.mailroom.databases.Durability;
import dev.mailroom.databases.PostgresServer;
import dev.mailroom.databases.PostgresVersion;
import dev.mailroom.jdbc.JdbcStore;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.function.Supplier;

/** A store whose statements are looked at: their plans, and how many pages they touched. */
final class Workbench implements AutoCloseable {
  private static final List<String> TABLES =
      List.of("message", "delayed", "lease", "turn", "turn_later", "hold", "dead");
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
  record Cost<T>(T answer, List<Plan> plans) {
    long pages() {
      return plans.stream().mapToLong(Plan::pages).sum();
    }
  }

  /** Carries out a verb, none of whose statements may be compiled. */
  <T> Cost<T> watch(Supplier<T> verb) {
    explaining.take();
    T answer = verb.get();
    List<Plan> plans = explaining.take();
    assertThat(plans).as("plans").noneMatch(Plan::isCompiled);
    return new Cost<>(answer, plans);
  }

  void run(String sql) throws SQLException {
    try (Statement statement = own.createStatement()) {
      statement.execute(sql);
    }
  }

  /** Whether the server has LLVM and would compile an expensive statement. */
  boolean compilesStatements() throws SQLException {
    try (Statement statement = own.createStatement();
        ResultSet row = statement.executeQuery("SELECT pg_jit_available()")) {
      return row.next() && row.getBoolean(1);
    }
  }

  /** A further connection, whose statements are explained as the store's are. */
  Connection explained() throws SQLException {
    Connection connection = connection();
    try (Statement statement = connection.createStatement()) {
      statement.execute(Explaining.SETTINGS);
    }
    return explaining.watched(connection);
  }

  /** Carries out a verb in a transaction of the caller; none of its statements may be compiled. */
  <T> void watch(Connection connection, Supplier<T> verb) throws SQLException {
    watch(
        () -> {
          T answer = verb.get();
          fetchLast(connection);
          return answer;
        });
  }

  /** How the server carries out a statement of the caller. */
  List<Plan> plansOf(Connection connection, String sql) throws SQLException {
    explaining.take();
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.execute();
    }
    fetchLast(connection);
    return explaining.take();
  }

  /** The plan of the last statement comes with the next. */
  private static void fetchLast(Connection connection) {
    try (PreparedStatement statement = connection.prepareStatement("SELECT 1")) {
      statement.execute();
    } catch (SQLException e) {
      throw new IllegalStateException(e);
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

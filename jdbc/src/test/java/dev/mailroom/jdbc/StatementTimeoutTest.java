package dev.mailroom.jdbc;

import static dev.mailroom.storetestkit.TestMessages.channel;
import static dev.mailroom.storetestkit.TestMessages.message;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mailroom.databases.Database;
import dev.mailroom.databases.Durability;
import dev.mailroom.databases.H2Memory;
import dev.mailroom.databases.MariaDbServer;
import dev.mailroom.databases.PostgresServer;
import dev.mailroom.databases.PostgresVersion;
import dev.mailroom.errors.InvalidOptionsException;
import dev.mailroom.errors.TransientStoreException;
import dev.mailroom.spi.Channel;
import dev.mailroom.spi.NewMessage;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A statement that waits for too long ends, and the store goes on. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class StatementTimeoutTest {
  private static final Channel CHANNEL = channel("slow").build();
  private static final Set<String> ENDS = Set.of("commit", "rollback", "setAutoCommit");

  static Stream<Named<Supplier<Database>>> servers() {
    return Stream.of(
        Named.of(
            "PostgreSQL 18",
            () -> PostgresServer.shared(PostgresVersion.V18, Durability.RELAXED).createDatabase()),
        Named.of("MariaDB", () -> MariaDbServer.shared(Durability.RELAXED).createDatabase()));
  }

  @ParameterizedTest
  @MethodSource("servers")
  void who_waits_for_a_lock_gives_up_in_time(Supplier<Database> source) throws Exception {
    try (Database database = source.get();
        Connection other = database.dataSource().getConnection();
        JdbcStore store =
            JdbcStore.builder(database.jdbcUrl(), null, null)
                .migrateAtStart(true)
                .statementTimeout(Duration.ofSeconds(1))
                .build()) {
      NewMessage message = message("one").key("taken").build();
      store.counts(CHANNEL);
      other.setAutoCommit(false);
      JdbcTransaction open = JdbcTransaction.of(other);
      store.append(CHANNEL, List.of(message), open); // the key is taken, perhaps

      assertThatThrownBy(() -> store.append(CHANNEL, List.of(message), null))
          .isInstanceOf(TransientStoreException.class);

      other.rollback();
      assertThat(store.append(CHANNEL, List.of(message), null).get(0).accepted()).isTrue();
      assertThat(store.counts(CHANNEL).ready()).isEqualTo(1);
    }
  }

  @Test
  void a_silent_server_ends_the_connection() throws Exception {
    try (Database database =
            PostgresServer.shared(PostgresVersion.V18, Durability.RELAXED).createDatabase();
        Connection one = database.dataSource().getConnection();
        Statement statement = one.createStatement()) {
      Deadlines deadlines = new Deadlines(Duration.ofMillis(1), Duration.ofMillis(200));
      assertThat(deadlines.guard(one)).isZero();

      assertThatThrownBy(() -> statement.execute("SELECT pg_sleep(60)"))
          .isInstanceOfSatisfying(
              SQLException.class, e -> assertThat(SqlErrors.isTransient(e)).isTrue());
      assertThat(one.isClosed()).isTrue();
      deadlines.unguard(one, 0);
    }
  }

  @ParameterizedTest
  @MethodSource("servers")
  void whoever_ends_a_transaction_waits_for_no_silent_server(Supplier<Database> source)
      throws Exception {
    Map<String, Set<Integer>> limits = new TreeMap<>();
    try (Database database = source.get();
        Connection one = database.dataSource().getConnection()) {
      Dialect dialect = Dialect.of(one);
      Transactions transactions =
          new Transactions(
              Connections.of(watched(DataSource.class, database.dataSource(), limits)),
              dialect,
              new Schema(null, "mailroom_", dialect, PayloadColumn.BYTES),
              null,
              new Deadlines(Duration.ofSeconds(1)));

      transactions.run("do nothing", session -> 0);
      transactions.end(transactions.open(), true);
      transactions.end(transactions.open(), false);
    }

    assertThat(limits).containsOnlyKeys("commit", "rollback", "setAutoCommit");
    assertThat(limits.values()).allSatisfy(each -> assertThat(each).containsExactly(11_000));
  }

  /** Notes for how long the network may be silent when a transaction begins or ends. */
  private static <T> T watched(Class<T> type, T target, Map<String, Set<Integer>> limits) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (proxy, method, arguments) -> {
              if (target instanceof Connection connection && ENDS.contains(method.getName())) {
                limits
                    .computeIfAbsent(method.getName(), name -> new TreeSet<>())
                    .add(connection.getNetworkTimeout());
              }
              Object answer = method.invoke(target, arguments);
              return answer instanceof Connection connection
                  ? watched(Connection.class, connection, limits)
                  : answer;
            }));
  }

  @Test
  void a_connection_is_given_back_as_it_came() throws Exception {
    try (Database database =
            PostgresServer.shared(PostgresVersion.V18, Durability.RELAXED).createDatabase();
        Connection one = database.dataSource().getConnection()) {
      one.setNetworkTimeout(Runnable::run, 77_000);
      Deadlines deadlines = new Deadlines(Duration.ofSeconds(1));
      int before = deadlines.guard(one);

      assertThat(one.getNetworkTimeout()).isEqualTo(11_000);
      deadlines.unguard(one, before);
      assertThat(one.getNetworkTimeout()).isEqualTo(77_000);
    }
  }

  @Test
  void a_timeout_that_is_none_is_refused() {
    try (H2Memory database = H2Memory.create()) {
      for (Duration wrong : List.of(Duration.ZERO, Duration.ofDays(2))) {
        assertThatThrownBy(
                () -> JdbcStore.builder(database.dataSource()).statementTimeout(wrong).build())
            .isInstanceOf(InvalidOptionsException.class)
            .hasMessageContaining("statementTimeout");
      }
      assertThatThrownBy(
              () -> JdbcStore.builder(database.dataSource()).networkGrace(Duration.ZERO).build())
          .isInstanceOf(InvalidOptionsException.class)
          .hasMessageContaining("networkGrace");
    }
  }
}

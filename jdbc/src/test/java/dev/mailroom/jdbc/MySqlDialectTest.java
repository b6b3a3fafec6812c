package dev.mailroom.jdbc;

import static dev.mailroom.storetestkit.TestMessages.message;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import dev.mailroom.databases.Durability;
import dev.mailroom.databases.MariaDbServer;
import dev.mailroom.errors.StoreException;
import dev.mailroom.options.Ordering;
import dev.mailroom.spi.Channel;
import dev.mailroom.spi.ChannelPolicy;
import dev.mailroom.spi.NewMessage;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What MySQL and MariaDB do in their own way. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class MySqlDialectTest {
  private static final String ADD = "INSERT INTO {channel} (name) VALUES (?)";

  private static Pools pools;

  private final MySqlDialect dialect = new MySqlDialect(true);
  private final Schema schema = new Schema(null, "mailroom_", dialect, PayloadColumn.BYTES);
  private Connection one;
  private Connection other;

  @BeforeAll
  static void openDatabase() {
    pools = new Pools(MariaDbServer.shared(Durability.RELAXED).createDatabase());
  }

  @AfterAll
  static void closeDatabase() {
    pools.close();
  }

  @BeforeEach
  void begin() throws SQLException {
    one = pools.one().getConnection();
    other = pools.other().getConnection();
    dialect.begin(one);
    dialect.begin(other);
  }

  @AfterEach
  void rollBack() throws SQLException {
    for (Connection each : List.of(one, other)) {
      each.rollback();
      each.close();
    }
  }

  private Session session(Connection connection) {
    return new Session(connection, dialect, schema, null, Deadlines.NONE);
  }

  private static List<@Nullable Object[]> names(int from, int to) {
    List<@Nullable Object[]> rows = new ArrayList<>();
    for (int i = from; i < to; i++) {
      rows.add(new Object[] {"name " + i});
    }
    return rows;
  }

  @Test
  void keys_are_the_same_only_if_every_byte_is() throws SQLException {
    Session session = session(one);
    for (String key : List.of("key", "key ", "Key", "kéy", "ke\u0301y", "k\uD83D\uDE00y", "")) {
      assertThat(dialect.insertAbsent(session, ADD, key)).as(key).isTrue();
      assertThat(dialect.insertAbsent(session, ADD, key)).as(key).isFalse();
      assertThat(
              session
                  .call("SELECT name FROM {channel} WHERE name = ?")
                  .with(key)
                  .list(row -> row.getString(1)))
          .containsExactly(key);
    }
  }

  @Test
  void a_key_that_is_too_long_is_an_error_and_not_cut_off() {
    assertThatThrownBy(() -> dialect.insertAbsent(session(one), ADD, "x".repeat(1_025)))
        .isInstanceOf(SQLException.class);
  }

  @Test
  void of_many_rows_those_that_are_there_are_passed_over() throws SQLException {
    Session session = session(one);

    assertThat(dialect.insertAbsentAll(session, ADD, names(0, 300))).isEqualTo(300);
    assertThat(dialect.insertAbsentAll(session, ADD, names(200, 700))).isEqualTo(400);
    assertThat(session.call("SELECT COUNT(*) FROM {channel}").list(row -> row.getInt(1)))
        .containsExactly(700);
  }

  @Test
  void numbers_grow_and_wait_for_no_open_transaction() throws SQLException {
    long last = Long.MIN_VALUE;
    for (Connection each : List.of(one, other, one, other)) {
      for (long number : session(each).numbers(20_000)) {
        assertThat(number).isGreaterThan(last);
        last = number;
      }
    }
  }

  @Test
  void numbers_that_were_rolled_back_do_not_come_again() throws SQLException {
    long before = session(one).number();
    one.rollback();

    assertThat(session(other).number()).isGreaterThan(before);
  }

  @Test
  void the_clock_is_the_same_in_every_time_zone() throws SQLException {
    long before = session(one).now();
    try (Statement statement = other.createStatement()) {
      statement.execute("SET time_zone = '+09:30'");
      assertThat(session(other).now()).isBetween(before, before + 60_000_000);
      statement.execute("SET time_zone = DEFAULT");
    }
  }

  @Test
  void our_transactions_read_what_is_committed() throws SQLException {
    String count = "SELECT COUNT(*) FROM {channel} WHERE name = 'committed'";
    assertThat(session(one).call(count).list(row -> row.getInt(1))).containsExactly(0);

    dialect.insertAbsent(session(other), ADD, "committed");
    other.commit();

    assertThat(session(one).call(count).list(row -> row.getInt(1))).containsExactly(1);
    session(one).call("DELETE FROM {channel} WHERE name = 'committed'").update();
    one.commit();
  }

  @ParameterizedTest
  @ValueSource(strings = {"useAffectedRows=true", "useBulkStmts=true"})
  void a_driver_that_is_set_to_miscount_is_refused(String setting) {
    String url = ((HikariDataSource) pools.one()).getJdbcUrl();
    HikariDataSource pool = new HikariDataSource();
    pool.setJdbcUrl(url + (url.contains("?") ? "&" : "?") + setting);
    pool.setMaximumPoolSize(1);
    try (pool) {
      assertThatThrownBy(() -> JdbcStore.builder(pool).build())
          .isInstanceOf(StoreException.class)
          .hasMessageContaining(setting);
    }
  }

  @Test
  void many_rows_are_copied_in_few_statements_and_those_that_are_there_stay() throws SQLException {
    Session session = session(one);
    Line line = new Line(session, 7, new Channel("c", Ordering.NONE, ChannelPolicy.defaults()));
    List<NewMessage> later = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      later.add(message("m" + i).delay(Duration.ofHours(1)).build());
    }
    List<NewMessage> now = List.of(message("there").id(later.get(0).id()).build());
    new NewRows(line, later).insert();
    new NewRows(line, now).insert();
    long before = questions(session);

    new Copy("{delayed}", "{message}", List.of("position", "sequence"), List.of())
        .run(line, later.stream().map(each -> Copy.Row.of(each.id(), 1L, 2L)).toList());

    assertThat(questions(session) - before).as("statements").isLessThan(10);
    assertThat(
            session
                .call("SELECT COUNT(*), SUM(sequence = 2) FROM {message} WHERE channel = 7")
                .list(row -> List.of(row.getInt(1), row.getInt(2))))
        .containsExactly(List.of(100, 99));
  }

  private static long questions(Session session) throws SQLException {
    return session.call("SHOW SESSION STATUS LIKE 'Questions'").list(row -> row.getLong(2)).get(0);
  }
}

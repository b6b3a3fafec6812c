package dev.mailroom.jdbc;

import static dev.mailroom.storetestkit.TestMessages.message;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import dev.mailroom.databases.Database;
import dev.mailroom.databases.Durability;
import dev.mailroom.databases.MariaDbServer;
import dev.mailroom.errors.StoreException;
import dev.mailroom.options.Ordering;
import dev.mailroom.spi.AppendResult;
import dev.mailroom.spi.Channel;
import dev.mailroom.spi.ChannelPolicy;
import dev.mailroom.spi.NewMessage;
import dev.mailroom.spi.Transactional.OpenTransaction;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Appends of messages of which nothing has to be looked up. */
@Timeout(60)
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class MySqlAppendsTest {
  private static final String STATEMENTS =
      "SELECT variable_value FROM information_schema.session_status"
          + " WHERE variable_name = 'QUESTIONS'";
  private static final Channel CHANNEL = new Channel("c", Ordering.NONE, ChannelPolicy.defaults());

  private Database database;
  private HikariDataSource pool;
  private JdbcStore store;

  @BeforeEach
  void open() {
    database = MariaDbServer.shared(Durability.RELAXED).createDatabase();
    pool = new HikariDataSource();
    pool.setJdbcUrl(database.jdbcUrl());
    pool.setMaximumPoolSize(3);
    pool.setMinimumIdle(0);
    store = JdbcStore.builder(pool).channelTables("own", "own_").build();
  }

  private void migrateWithoutSequences() throws Exception {
    try (Connection connection = pool.getConnection()) {
      MySqlCounterContractTest.createTable(connection, "mailroom_number");
      MySqlCounterContractTest.createTable(connection, "own_number");
    }
    store.migrate();
  }

  @AfterEach
  void close() {
    store.close();
    pool.close();
    database.close();
  }

  private static NewMessage fresh(String payload) {
    NewMessage built = message(payload).build();
    return new NewMessage(built.envelope(), built.schedule(), built.strict(), true);
  }

  private long ask(String sql) throws SQLException {
    try (Connection connection = pool.getConnection();
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(sql)) {
      row.next();
      return row.getLong(1);
    }
  }

  @Test
  void rows_of_the_counter_do_not_pile_up_and_an_open_transaction_is_not_waited_for()
      throws Exception {
    migrateWithoutSequences();
    try (OpenTransaction open = store.begin()) {
      store.append(CHANNEL, List.of(fresh("open")), open);
      for (int i = 0; i < 200; i++) {
        store.append(CHANNEL, List.of(fresh("m" + i)), null);
      }
      assertThat(ask("SELECT COUNT(*) FROM mailroom_number")).isLessThan(64);
      open.commit();
    }

    assertThat(store.counts(CHANNEL).ready()).isEqualTo(201);
    assertThat(ask("SELECT COUNT(DISTINCT position) FROM mailroom_message")).isEqualTo(201);
  }

  @Test
  void nor_do_they_in_tables_of_a_channels_own() throws Exception {
    migrateWithoutSequences();
    Channel own = new Channel("own", Ordering.REQUIRED, ChannelPolicy.defaults());
    for (int i = 0; i < 200; i++) {
      NewMessage built = message("m" + i).group("g").build();
      store.append(
          own, List.of(new NewMessage(built.envelope(), built.schedule(), false, true)), null);
    }

    assertThat(ask("SELECT COUNT(*) FROM own_number")).isLessThan(64);
    assertThat(ask("SELECT COUNT(*) FROM own_turn")).isEqualTo(200);
  }

  @Test
  void with_a_sequence_a_message_without_a_group_takes_one_statement() throws SQLException {
    store.migrate();
    pool.getHikariConfigMXBean().setMaximumPoolSize(1);
    store.append(CHANNEL, List.of(fresh("first")), null);
    long before = ask(STATEMENTS);

    AppendResult result = store.append(CHANNEL, List.of(fresh("second")), null).get(0);

    assertThat(ask(STATEMENTS) - before).as("the append and the question").isEqualTo(2);
    assertThat(result.accepted()).isTrue();
    String at = " = " + Micros.floor(result.acceptedAt());
    assertThat(
            ask(
                "SELECT COUNT(*) FROM mailroom_message WHERE sequence = position AND created_at"
                    + at
                    + " AND received_at"
                    + at
                    + " AND visible_at"
                    + at))
        .isEqualTo(1);
    assertThat(ask("SELECT COUNT(DISTINCT position) FROM mailroom_message")).isEqualTo(2);
  }

  @Test
  void a_sequence_is_found_that_was_not_there_at_first() {
    JdbcStore.builder(pool).migrateAtStart(true).build().close();
    Channel own = new Channel("own", Ordering.NONE, ChannelPolicy.defaults());
    assertThatThrownBy(() -> store.append(own, List.of(fresh("too early")), null))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("migrate");

    store.migrate();

    assertThat(store.append(own, List.of(fresh("now")), null).get(0).accepted()).isTrue();
  }

  @Test
  void an_id_that_was_not_as_new_as_was_said_is_found() {
    store.migrate();
    NewMessage known = fresh("known");
    store.append(CHANNEL, List.of(known), null);

    assertThat(store.append(CHANNEL, List.of(known), null).get(0).accepted()).isFalse();
    assertThat(store.counts(CHANNEL).ready()).isEqualTo(1);
  }

  @Test
  void an_append_that_fails_half_way_leaves_no_transaction_open() throws SQLException {
    store.migrate();
    pool.getHikariConfigMXBean().setMaximumPoolSize(1);
    NewMessage known = fresh("known");
    store.append(CHANNEL, List.of(known), null);
    store.append(CHANNEL, List.of(fresh("new"), known, fresh("newer")), null);

    assertThat(store.counts(CHANNEL).ready()).isEqualTo(3);
    String own = "SELECT COUNT(*) FROM information_schema.innodb_trx";
    assertThat(ask(own + " WHERE trx_mysql_thread_id = CONNECTION_ID()")).isZero();
  }
}

package dev.mailroom.jdbc;

import static dev.mailroom.storetestkit.TestMessages.message;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mailroom.databases.Durability;
import dev.mailroom.databases.PostgresServer;
import dev.mailroom.databases.PostgresVersion;
import dev.mailroom.errors.ConflictingDuplicateException;
import dev.mailroom.options.Ordering;
import dev.mailroom.spi.AppendResult;
import dev.mailroom.spi.Channel;
import dev.mailroom.spi.ChannelPolicy;
import dev.mailroom.spi.Lease;
import dev.mailroom.spi.LeaseRequest;
import dev.mailroom.spi.NewMessage;
import dev.mailroom.spi.Outcome;
import dev.mailroom.spi.Settlement;
import dev.mailroom.storetestkit.MessageDraft;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

/** What one statement of PostgreSQL stores, and how many it takes. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class PostgresAppendTest {
  private static final AtomicInteger CHANNELS = new AtomicInteger();
  private static Pools pools;

  private JdbcStore store;
  private Channel channel;

  @BeforeAll
  static void openDatabase() {
    pools =
        new Pools(PostgresServer.shared(PostgresVersion.V18, Durability.RELAXED).createDatabase());
  }

  @AfterAll
  static void closeDatabase() {
    pools.close();
  }

  @BeforeEach
  void open() {
    store = JdbcStore.builder(pools.one()).wakeUps(false).build();
    channel =
        new Channel(
            "c" + CHANNELS.incrementAndGet(), Ordering.WHEN_KEYED, ChannelPolicy.defaults());
  }

  @AfterEach
  void close() {
    store.close();
  }

  private static List<NewMessage> batch(MessageDraft... drafts) {
    return Stream.of(drafts).map(MessageDraft::build).toList();
  }

  private static MessageDraft[] oneOfEach() {
    return new MessageDraft[] {
      message("plain"),
      message("later").delay(Duration.ofHours(1)),
      message("keyed").key("k"),
      message("collapsing").collapse("c"),
      message("grouped").group("g").key("g").collapse("g").delay(Duration.ofHours(1))
    };
  }

  /** A transaction's number is taken by each that writes: one statement, one transaction. */
  @Test
  void a_batch_with_everything_in_it_is_one_transaction_of_one_statement() throws SQLException {
    store.append(channel, batch(message("first")), null); // so that the channel is known
    long before = transactions();

    store.append(channel, batch(oneOfEach()), null);

    assertThat(transactions() - before).isEqualTo(1);
    assertThat(rows("message")).isEqualTo(4);
    assertThat(rows("delayed")).isEqualTo(2);
    assertThat(rows("deduplication")).isEqualTo(2);
  }

  @Test
  void what_a_batch_finds_is_answered_in_its_place() {
    MessageDraft known = message("known");
    MessageDraft keyed = message("keyed").key("k");
    store.append(channel, batch(known, keyed), null);

    List<AppendResult> results =
        store.append(
            channel,
            batch(message("a"), message("b").key("k"), known, message("c").key("other")),
            null);

    assertThat(results)
        .extracting(AppendResult::accepted)
        .containsExactly(true, false, false, true);
    assertThat(results.get(1).id()).isEqualTo(keyed.id());
    assertThat(results.get(2).id()).isEqualTo(known.id());
  }

  /** The statement has waited for the key and cannot see who took it: nothing of it may stay. */
  @Test
  void a_batch_that_loses_a_key_to_another_stores_the_rest() throws Exception {
    UUID first = store.append(channel, batch(message("first")), null).get(0).id();
    Connection other = pools.other().getConnection();
    other.setAutoCommit(false);
    List<NewMessage> theirs = batch(message("theirs").key("k"));
    store.append(channel, theirs, JdbcTransaction.of(other));

    Thread committer = new Thread(() -> commitOnceWaitedFor(other));
    committer.start();
    List<AppendResult> results =
        store.append(
            channel,
            batch(message("a").key("a"), message("b").key("k"), message("c").collapse("c")),
            null);
    committer.join();

    assertThat(results).extracting(AppendResult::accepted).containsExactly(true, false, true);
    assertThat(results.get(1).id()).isEqualTo(theirs.get(0).id()).isNotEqualTo(first);
    assertThat(rows("message")).isEqualTo(4);
    assertThat(rows("deduplication")).isEqualTo(2);
  }

  /** Commits when the server says that somebody waits for the transaction. */
  private void commitOnceWaitedFor(Connection connection) {
    String waiting =
        "SELECT count(*) FROM pg_locks WHERE NOT granted AND locktype = 'transactionid'";
    try (connection) {
      while (number(waiting) == 0) {
        Thread.onSpinWait();
      }
      connection.commit();
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void in_the_callers_transaction_its_settings_stay() throws SQLException {
    try (Connection connection = pools.other().getConnection()) {
      connection.setAutoCommit(false);
      JdbcTransaction transaction = JdbcTransaction.of(connection);
      List<String> before = settings(connection);
      assertThat(before).containsExactly("on", "on", "on", "auto", "on");

      store.append(channel, batch(message("one")), transaction);
      assertThat(settings(connection)).as("after one").isEqualTo(before);
      store.append(channel, batch(message("of a group").group("g")), transaction);
      assertThat(settings(connection)).as("after one of a group").isEqualTo(before);
      store.append(channel, batch(oneOfEach()), transaction);
      assertThat(settings(connection)).as("after a batch").isEqualTo(before);
      store.append(channel, batch(message("compared").key("s").strict()), transaction);
      assertThat(settings(connection)).as("after a comparison").isEqualTo(before);
      List<NewMessage> different = batch(message("other content").key("s").strict());
      assertThatThrownBy(() -> store.append(channel, different, transaction))
          .isInstanceOf(ConflictingDuplicateException.class);
      assertThat(settings(connection)).as("after a conflict").isEqualTo(before);
      connection.rollback();
    }
    assertThat(rows("message") + rows("delayed") + rows("deduplication")).isZero();
  }

  @Test
  void an_outcome_in_the_callers_transaction_leaves_its_settings() throws SQLException {
    store.append(channel, batch(message("one").group("g"), message("two")), null);
    LeaseRequest request = new LeaseRequest("worker", 10, 10, Duration.ofHours(1), null, true);
    Lease lease = Objects.requireNonNull(store.lease(channel, request).lease());
    List<Settlement> outcomes =
        lease.messages().stream()
            .map(each -> new Settlement(each.id(), lease.token(), Outcome.Completed.INSTANCE))
            .toList();
    try (Connection connection = pools.other().getConnection()) {
      connection.setAutoCommit(false);
      List<String> before = settings(connection);

      assertThat(store.settle(channel, outcomes, JdbcTransaction.of(connection))).isEmpty();

      assertThat(settings(connection)).isEqualTo(before);
      connection.commit();
    }
    assertThat(rows("message")).isZero();
  }

  private static List<String> settings(Connection connection) throws SQLException {
    List<String> values = new ArrayList<>();
    for (PlannerSettings setting : PlannerSettings.values()) {
      values.add(text(connection, "SHOW " + setting.name().toLowerCase(Locale.ROOT)));
    }
    return values;
  }

  /** A plan that was made while the table was empty is kept when it is not. */
  @Test
  void an_empty_table_is_not_planned_to_be_read_whole() throws SQLException {
    try (Connection connection = pools.other().getConnection()) {
      for (String table : List.of("delayed", "dead")) {
        Dialect.execute(connection, "DELETE FROM mailroom_" + table);
        Dialect.execute(connection, "VACUUM ANALYZE mailroom_" + table);
        assertThat(
                text(
                    connection,
                    "EXPLAIN SELECT 1 FROM mailroom_"
                        + table
                        + " WHERE channel = 1 AND id = gen_random_uuid()"))
            .contains("Index");
      }
    }
  }

  private long transactions() throws SQLException {
    return number("SELECT pg_snapshot_xmax(pg_current_snapshot())::text::bigint");
  }

  private long rows(String table) throws SQLException {
    return number(
        "SELECT count(*) FROM mailroom_"
            + table
            + " WHERE channel = (SELECT id FROM mailroom_channel WHERE name = '"
            + channel.name()
            + "')");
  }

  private static long number(String query) throws SQLException {
    try (Connection connection = pools.one().getConnection()) {
      return Long.parseLong(text(connection, query));
    }
  }

  private static String text(Connection connection, String query) throws SQLException {
    try (var statement = connection.createStatement();
        var rows = statement.executeQuery(query)) {
      rows.next();
      return rows.getString(1);
    }
  }
}

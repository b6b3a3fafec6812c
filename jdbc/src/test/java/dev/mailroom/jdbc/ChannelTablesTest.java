package dev.mailroom.jdbc;

import static dev.mailroom.storetestkit.TestMessages.channel;
import static dev.mailroom.storetestkit.TestMessages.labels;
import static dev.mailroom.storetestkit.TestMessages.message;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mailroom.databases.Database;
import dev.mailroom.databases.H2Memory;
import dev.mailroom.deadletters.DeadLetterFilter;
import dev.mailroom.errors.InvalidOptionsException;
import dev.mailroom.errors.StoreException;
import dev.mailroom.messages.LastError;
import dev.mailroom.spi.Channel;
import dev.mailroom.spi.Commit;
import dev.mailroom.spi.Lease;
import dev.mailroom.spi.LeaseRequest;
import dev.mailroom.spi.Outcome;
import dev.mailroom.spi.Purge;
import dev.mailroom.spi.Settlement;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A channel may have tables of its own; all verbs find them, also two sets in one transaction. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class ChannelTablesTest {
  private static final Channel ORDERS =
      channel("orders").history(Duration.ofDays(1)).deadLetterLifetime(Duration.ofDays(1)).build();
  private static final Channel MAILS = channel("mails").build();

  private static JdbcStoreBuilder builder(Database database) {
    return JdbcStore.builder(database.dataSource()).channelTables("orders", "orders_");
  }

  private static Lease lease(JdbcStore store, Channel channel) {
    Lease lease =
        store
            .lease(channel, new LeaseRequest("worker", 10, 10, Duration.ofMinutes(1), null, true))
            .lease();
    assertThat(lease).isNotNull();
    return lease;
  }

  private static long rows(Database database, String table) throws SQLException {
    try (Connection connection = database.dataSource().getConnection();
        Statement statement = connection.createStatement()) {
      String quote = connection.getMetaData().getIdentifierQuoteString();
      try (ResultSet row =
          statement.executeQuery("SELECT COUNT(*) FROM " + quote + table + quote)) {
        row.next();
        return row.getLong(1);
      }
    }
  }

  @ParameterizedTest
  @MethodSource("dev.mailroom.jdbc.MigrationTest#databases")
  void two_channels_keep_apart_and_commit_together(Supplier<Database> source) throws Exception {
    try (Database database = source.get();
        JdbcStore store = builder(database).migrateAtStart(true).build()) {
      store.validate();
      store.append(ORDERS, List.of(message("one").key("1").group("g").build()), null);
      store.append(MAILS, List.of(message("mail").key("1").build()), null);
      assertThat(rows(database, "orders_message")).isEqualTo(1);
      assertThat(rows(database, "mailroom_message")).isEqualTo(1);
      assertThat(store.counts(ORDERS).ready()).isEqualTo(1);

      Lease lease = lease(store, ORDERS);
      assertThat(labels(lease.messages())).containsExactly("one");
      store.commit(
          new Commit(
              List.of(
                  new Commit.Settlements(
                      ORDERS,
                      List.of(
                          new Settlement(
                              lease.messages().get(0).id(),
                              lease.token(),
                              Outcome.Completed.INSTANCE)))),
              List.of(
                  new Commit.Appends(MAILS, List.of(message("next").build())),
                  new Commit.Appends(ORDERS, List.of(message("two").group("g").build()))),
              List.of(),
              null));

      assertThat(rows(database, "orders_history")).isEqualTo(1);
      assertThat(labels(lease(store, MAILS).messages())).containsExactly("mail", "next");
      Lease second = lease(store, ORDERS);
      assertThat(labels(second.messages())).containsExactly("two");
      kill(store, second);
      assertThat(rows(database, "orders_dead")).isEqualTo(1);
      assertThat(rows(database, "mailroom_dead")).isZero();
      assertThat(store.redrive(MAILS, DeadLetterFilter.all(), 10)).isZero();
      assertThat(store.redrive(ORDERS, DeadLetterFilter.all(), 10)).isEqualTo(1);
      kill(store, lease(store, ORDERS));
      assertThat(store.deadLetters(ORDERS, DeadLetterFilter.all(), null, 10).letters()).hasSize(1);
      assertThat(store.discard(ORDERS, DeadLetterFilter.all(), 10)).isEqualTo(1);
      assertThat(store.purge(ORDERS, Purge.HISTORY, 10)).isZero();
      assertThat(rows(database, "orders_lease") + rows(database, "orders_turn")).isZero();
    }
  }

  private static void kill(JdbcStore store, Lease lease) {
    assertThat(
            store.settle(
                ORDERS,
                List.of(
                    new Settlement(
                        lease.messages().get(0).id(),
                        lease.token(),
                        new Outcome.Dead(LastError.of("broken", "it is"))))))
        .isEmpty();
  }

  @ParameterizedTest
  @MethodSource("dev.mailroom.jdbc.MigrationTest#databases")
  void a_set_is_migrated_and_missed_by_itself(Supplier<Database> source) {
    try (Database database = source.get()) {
      JdbcStore.builder(database.dataSource()).migrateAtStart(true).build();
      JdbcStore store = builder(database).build();

      assertThatThrownBy(store::validate)
          .isInstanceOf(StoreException.class)
          .hasMessageContaining("orders_message")
          .hasMessageNotContaining("mailroom_message")
          .hasMessageNotContaining("orders_state");
      store.migrate("orders");

      store.validate();
      builder(database).migrateAtStart("orders").build().validate();
      assertThatThrownBy(() -> store.migrate("mails"))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("mails");
    }
  }

  @ParameterizedTest
  @MethodSource("dev.mailroom.jdbc.MigrationTest#databases")
  void what_is_printed_for_one_channel_completes_the_schema(Supplier<Database> source)
      throws Exception {
    try (Database database = source.get()) {
      JdbcStore.builder(database.dataSource()).migrateAtStart(true).build();
      JdbcStore store = builder(database).build();
      for (String statement : store.migrationScript("orders").split(";\\s*\n", -1)) {
        if (!statement.isBlank()) {
          MigrationTest.execute(database, statement);
        }
      }

      store.validate();
      assertThat(store.migrationScript()).endsWith(store.migrationScript("orders"));
    }
  }

  @Test
  void a_newer_set_of_one_channel_is_refused() throws Exception {
    try (Database database = H2Memory.create();
        JdbcStore store = builder(database).migrateAtStart(true).build()) {
      MigrationTest.execute(
          database, "INSERT INTO \"orders_schema_version\" (version) VALUES (999)");

      assertThatThrownBy(store::migrate).hasMessageContaining("999");
      assertThatThrownBy(store::validate)
          .hasMessageContaining("999")
          .hasMessageContaining("orders_");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "a b", "a\"", "mailroom_", "MAILROOM_", "mailroom_dead_", "mails_"})
  void a_prefix_that_leads_to_tables_of_others_is_refused(String prefix) {
    try (H2Memory database = H2Memory.create()) {
      assertThatThrownBy(
              () ->
                  JdbcStore.builder(database.dataSource())
                      .channelTables("mails", "mails_")
                      .channelTables("orders", prefix)
                      .migrateAtStart("other")
                      .build())
          .isInstanceOf(InvalidOptionsException.class)
          .hasMessageContaining("channelTables of 'orders'")
          .hasMessageContaining("migrateAtStart");
    }
  }
}

package dev.mailroom.jdbc;

import static dev.mailroom.storetestkit.TestMessages.message;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mailroom.databases.Durability;
import dev.mailroom.databases.PostgresServer;
import dev.mailroom.databases.PostgresVersion;
import dev.mailroom.messages.Trace;
import dev.mailroom.options.Ordering;
import dev.mailroom.spi.AppendResult;
import dev.mailroom.spi.Channel;
import dev.mailroom.spi.ChannelPolicy;
import dev.mailroom.spi.NewMessage;
import dev.mailroom.storetestkit.MessageDraft;
import dev.mailroom.test.ManualTime;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A message that no store has seen is stored as any other, by a statement that looks for less. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class PostgresFreshTest {
  private static final AtomicInteger CHANNELS = new AtomicInteger();
  private static final Instant NOON = ManualTime.START;
  private static Pools pools;

  private JdbcStore store;

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
    store = JdbcStore.builder(pools.one()).wakeUps(false).time(new ManualTime()).build();
  }

  @AfterEach
  void close() {
    store.close();
  }

  private static Channel channel() {
    return new Channel(
        "fresh" + CHANNELS.incrementAndGet(), Ordering.WHEN_KEYED, ChannelPolicy.defaults());
  }

  private static List<NewMessage> build(List<MessageDraft> drafts, boolean fresh) {
    return drafts.stream()
        .map(MessageDraft::build)
        .map(each -> new NewMessage(each.envelope(), each.schedule(), each.strict(), fresh))
        .toList();
  }

  static Stream<List<MessageDraft>> batches() {
    return Stream.of(
        List.of(message("alone")),
        List.of(message("alone in its group").group("g")),
        List.of(rich("alone")),
        List.of(message("of a tenant").tenant("t")),
        List.of(message("with a header").header("name", "value")),
        List.of(message("traced").trace(new Trace(null, null, "parent", null))),
        List.of(message("short-lived").lifetime(Duration.ofHours(2))),
        List.of(message("received before").receivedAt(NOON.minusSeconds(7))),
        List.of(message("a"), message("b"), message("c")),
        List.of(message("a").group("g"), message("b").group("g")),
        List.of(message("a").group("g"), message("b").group("h"), message("c").group("g")),
        List.of(message("a").group("g"), message("b").tenant("t").group("g"), rich("c").group("h")),
        List.of(message("a").tenant("t").group("g"), message("b"), message("c").group("h")),
        List.of(message("a"), message("b").contract("other", 2)),
        List.of(message("a"), message("b").bytes("text/x", "b".getBytes(StandardCharsets.UTF_8))),
        List.of(message("a"), rich("b"), message("c")),
        List.of(rich("a"), rich("b").group("g").tenant("t").contract("other", 3)),
        List.of(message("a").key("k"), message("b").collapse("c")),
        List.of(message("a").delay(Duration.ofHours(1)), message("b")));
  }

  private static MessageDraft rich(String label) {
    return message(label)
        .header("name", "value of " + label)
        .trace(new Trace("correlation", "cause", "parent", "state"))
        .lifetime(Duration.ofHours(2))
        .receivedAt(NOON.minusSeconds(7));
  }

  @ParameterizedTest
  @MethodSource("batches")
  void it_is_stored_as_any_other(List<MessageDraft> drafts) throws SQLException {
    Channel one = channel();
    Channel other = channel();

    List<AppendResult> results = store.append(one, build(drafts, true), null);

    assertThat(results).isEqualTo(store.append(other, build(drafts, false), null));
    assertThat(results).allMatch(AppendResult::accepted);
    assertThat(rows(one)).isEqualTo(rows(other)).hasSizeGreaterThanOrEqualTo(drafts.size());
    assertThat(results).extracting(AppendResult::acceptedAt).containsOnly(NOON);
  }

  @ParameterizedTest
  @MethodSource("batches")
  void so_it_is_in_the_callers_transaction(List<MessageDraft> drafts) throws SQLException {
    Channel one = channel();
    Channel other = channel();
    store.counts(one);
    store.counts(other);
    try (Connection connection = pools.other().getConnection()) {
      connection.setAutoCommit(false);
      JdbcTransaction transaction = JdbcTransaction.of(connection);
      assertThat(store.append(one, build(drafts, true), transaction))
          .isEqualTo(store.append(other, build(drafts, false), transaction));
      connection.commit();
    }

    assertThat(rows(one)).isEqualTo(rows(other)).hasSizeGreaterThanOrEqualTo(drafts.size());
  }

  /** Nobody keeps the promise of a wrong caller, but nothing is stored twice among the ready. */
  @Test
  void one_that_is_ready_already_is_found_all_the_same() throws SQLException {
    Channel channel = channel();
    MessageDraft known = message("known");
    store.append(channel, build(List.of(known), true), null);

    assertThat(store.append(channel, build(List.of(known), true), null))
        .noneMatch(AppendResult::accepted);
    assertThat(store.append(channel, build(List.of(message("new"), known), true), null))
        .extracting(AppendResult::accepted)
        .containsExactly(true, false);
    assertThat(rows(channel)).hasSize(2);
  }

  /** What is stored, without what differs in any case: the channel, and numbers but for order. */
  private static List<String> rows(Channel channel) throws SQLException {
    List<String> rows = new ArrayList<>();
    try (Connection connection = pools.one().getConnection();
        Statement statement = connection.createStatement()) {
      for (String table : List.of("message", "delayed", "turn", "deduplication")) {
        String order = table.equals("deduplication") ? "deduplication_key" : "position";
        try (ResultSet found =
            statement.executeQuery(
                "SELECT (to_jsonb(t) - '{channel,position,sequence}'::text[])::text"
                    + " FROM mailroom_"
                    + table
                    + " t WHERE channel = (SELECT id FROM mailroom_channel WHERE name = '"
                    + channel.name()
                    + "') ORDER BY "
                    + order)) {
          while (found.next()) {
            rows.add(table + " " + found.getString(1));
          }
        }
      }
    }
    return rows;
  }
}

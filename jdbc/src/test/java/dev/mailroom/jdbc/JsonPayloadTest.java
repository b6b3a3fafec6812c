package dev.mailroom.jdbc;

import static dev.mailroom.storetestkit.TestMessages.channel;
import static dev.mailroom.storetestkit.TestMessages.message;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mailroom.databases.Database;
import dev.mailroom.deadletters.DeadLetterFilter;
import dev.mailroom.errors.ConflictingDuplicateException;
import dev.mailroom.errors.InvalidMessageException;
import dev.mailroom.errors.StoreException;
import dev.mailroom.messages.LastError;
import dev.mailroom.messages.Message;
import dev.mailroom.messages.Target;
import dev.mailroom.spi.Channel;
import dev.mailroom.spi.Lease;
import dev.mailroom.spi.LeaseRequest;
import dev.mailroom.spi.NewMessage;
import dev.mailroom.spi.Outcome;
import dev.mailroom.spi.Settlement;
import dev.mailroom.storetestkit.MessageDraft;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Payloads can be stored so that the database looks into them. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class JsonPayloadTest {
  private static final Channel ORDERS = channel("orders").history(Duration.ofDays(1)).build();

  private static final List<String> VALUES =
      List.of(
          "{\"order\": 7, \"customer\": {\"name\": \"Zoë \\u20ac \uD83D\uDE00\"}, \"paid\": true}",
          "[1, 2.5, -3, null, [], {}, \"a\\\"b\\\\c\"]",
          "\"text\"",
          "null",
          "42");

  private static JdbcStore open(Database database) {
    return JdbcStore.builder(database.dataSource())
        .payloads(PayloadColumn.JSON)
        .migrateAtStart(true)
        .build();
  }

  private static MessageDraft json(String text) {
    return message("json").bytes("application/json", text.getBytes(StandardCharsets.UTF_8));
  }

  private static Lease lease(JdbcStore store) {
    Lease lease =
        store
            .lease(ORDERS, new LeaseRequest("worker", 100, 100, Duration.ofMinutes(1), null, true))
            .lease();
    assertThat(lease).isNotNull();
    return lease;
  }

  /** Without white space, and with escapes resolved: as far as databases differ in writing it. */
  private static String text(Message message) {
    return plain(new String(message.envelope().payload().bytes(), StandardCharsets.UTF_8));
  }

  private static String plain(String json) {
    return json.replace(" ", "").replace("\\u20ac", "€");
  }

  private static void settle(JdbcStore store, Lease lease, Outcome outcome) {
    assertThat(
            store.settle(
                ORDERS,
                lease.messages().stream()
                    .map(message -> new Settlement(message.id(), lease.token(), outcome))
                    .toList()))
        .isEmpty();
  }

  @ParameterizedTest
  @MethodSource("dev.mailroom.jdbc.MigrationTest#databases")
  void values_come_back_by_every_way(Supplier<Database> source) {
    try (Database database = source.get();
        JdbcStore store = open(database)) {
      store.validate();
      List<NewMessage> many = VALUES.stream().map(text -> json(text).build()).toList();
      store.append(ORDERS, many, null);
      store.append(ORDERS, List.of(json(VALUES.get(1)).build()), null);
      store.append(ORDERS, List.of(json(VALUES.get(2)).key("key").group("g").build()), null);
      store.append(ORDERS, List.of(json(VALUES.get(1)).delay(Duration.ofHours(1)).build()), null);
      List<String> expected =
          List.of(
              plain("{\"paid\":true,\"order\":7,\"customer\":{\"name\":\"Zoë€\uD83D\uDE00\"}}"),
              plain(VALUES.get(1)),
              plain(VALUES.get(2)));

      Lease first = lease(store);
      assertThat(first.messages()).hasSize(7);
      assertThat(first.messages().stream().map(JsonPayloadTest::text))
          .contains(expected.get(1), expected.get(2), "null", "42")
          .anyMatch(text -> text.length() == expected.get(0).length() && text.contains("Zoë€"));
      settle(store, first, new Outcome.Dead(LastError.of("broken", "it is")));
      assertThat(store.redrive(ORDERS, DeadLetterFilter.all(), 100)).isEqualTo(7);
      Lease second = lease(store);
      assertThat(second.messages().stream().map(JsonPayloadTest::text))
          .containsExactlyInAnyOrderElementsOf(
              first.messages().stream().map(JsonPayloadTest::text).toList());
      settle(store, second, Outcome.Completed.INSTANCE);
      assertThat(store.find(ORDERS, Target.id(many.get(1).id())))
          .satisfies(found -> assertThat(text(found.message())).isEqualTo(expected.get(1)));
    }
  }

  @ParameterizedTest
  @MethodSource("dev.mailroom.jdbc.MigrationTest#databases")
  void a_query_looks_into_them(Supplier<Database> source) throws Exception {
    try (Database database = source.get();
        JdbcStore store = open(database);
        Connection connection = database.dataSource().getConnection();
        Statement statement = connection.createStatement()) {
      store.append(
          ORDERS, List.of(json("{\"order\": 7}").build(), json("{\"order\": 8}").build()), null);
      String product = connection.getMetaData().getDatabaseProductName().toLowerCase(Locale.ROOT);
      String order =
          switch (product) {
            case "postgresql" -> "(payload ->> 'order')::int";
            case "h2" -> "CAST(CAST((payload).\"order\" AS VARCHAR) AS INT)";
            case "sqlite" -> "json_extract(payload, '$.order')";
            default -> "JSON_VALUE(payload, '$.order')";
          };
      String quote = connection.getMetaData().getIdentifierQuoteString();
      String query = "SELECT COUNT(*) FROM " + quote + "mailroom_message" + quote + " WHERE ";
      try (ResultSet row = statement.executeQuery(query + order + " > 7")) {
        row.next();
        assertThat(row.getInt(1)).isEqualTo(1);
      }
    }
  }

  @ParameterizedTest
  @MethodSource("dev.mailroom.jdbc.MigrationTest#databases")
  void what_is_no_json_is_refused_and_nothing_is_stored(Supplier<Database> source) {
    try (Database database = source.get();
        JdbcStore store = open(database)) {
      NewMessage good = json("{}").build();
      for (NewMessage bad :
          List.of(
              json("{\"a\":}").build(),
              json("").build(),
              message("json").bytes("text/plain", new byte[] {'1'}).build())) {
        assertThatThrownBy(() -> store.append(ORDERS, List.of(good, bad), null))
            .isInstanceOf(InvalidMessageException.class)
            .hasMessageContaining(bad.id().toString())
            .hasMessageContaining("Nothing was stored");
      }

      assertThat(store.counts(ORDERS).ready()).isZero();
      assertThat(store.append(ORDERS, List.of(good), null).get(0).accepted()).isTrue();
    }
  }

  @ParameterizedTest
  @MethodSource("dev.mailroom.jdbc.MigrationTest#databases")
  void a_repeat_is_known_however_the_database_writes_it(Supplier<Database> source) {
    try (Database database = source.get();
        JdbcStore store = open(database)) {
      String text = "{ \"longer\" : 1.50, \"b\":2,  \"a\" : [ 1 ] }";
      MessageDraft draft = json(text).strict();
      MessageDraft keyed = json(text).key("key").strict();
      store.append(ORDERS, List.of(draft.build(), keyed.build()), null);

      assertThat(store.append(ORDERS, List.of(draft.build(), keyed.build()), null))
          .noneMatch(result -> result.accepted());
      assertThatThrownBy(
              () ->
                  store.append(
                      ORDERS,
                      List.of(
                          draft
                              .bytes(
                                  "application/json",
                                  text.replace("2", "3").getBytes(StandardCharsets.UTF_8))
                              .build()),
                      null))
          .isInstanceOf(ConflictingDuplicateException.class);
    }
  }

  @ParameterizedTest
  @MethodSource("dev.mailroom.jdbc.MigrationTest#databases")
  void a_column_of_the_other_kind_is_named(Supplier<Database> source) {
    try (Database database = source.get();
        JdbcStore store = open(database)) {
      store.validate();

      assertThatThrownBy(() -> JdbcStore.builder(database.dataSource()).build().validate())
          .isInstanceOf(StoreException.class)
          .hasMessageContaining("mailroom_message")
          .hasMessageContaining("BYTES");
      JdbcStore mixed =
          JdbcStore.builder(database.dataSource())
              .payloads(PayloadColumn.JSON)
              .channelTables("raw", "raw_", PayloadColumn.BYTES)
              .migrateAtStart("raw")
              .build();
      mixed.validate();
      mixed.append(channel("raw").build(), List.of(message("no json").build()), null);
      assertThatThrownBy(
              () ->
                  JdbcStore.builder(database.dataSource())
                      .payloads(PayloadColumn.JSON)
                      .channelTables("raw", "raw_")
                      .build()
                      .validate())
          .hasMessageContaining("raw_message");
    }
  }
}

package dev.mailroom.jdbc;

import static dev.mailroom.storetestkit.TestMessages.message;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mailroom.databases.Database;
import dev.mailroom.databases.Durability;
import dev.mailroom.databases.PostgresServer;
import dev.mailroom.databases.PostgresVersion;
import dev.mailroom.messages.Message;
import dev.mailroom.options.Ordering;
import dev.mailroom.spi.Channel;
import dev.mailroom.spi.ChannelPolicy;
import dev.mailroom.spi.Lease;
import dev.mailroom.spi.LeaseRequest;
import dev.mailroom.spi.NewMessage;
import dev.mailroom.spi.Outcome;
import dev.mailroom.spi.Settlement;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The groups of a lease lie many in a row; each is free as soon as nothing of it is leased. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class PostgresHoldsTest {
  private static final Channel CHANNEL =
      new Channel("groups", Ordering.REQUIRED, ChannelPolicy.defaults());

  /** More than fit into a row, and not a whole number of rows. */
  private static final int GROUPS = 3 * PostgresHolds.PART + 7;

  private static final int AT_ONCE = 2;
  private static final LeaseRequest ALL =
      new LeaseRequest("w", 1_000, AT_ONCE, Duration.ofMinutes(5), null, true);

  private final Database database =
      PostgresServer.shared(PostgresVersion.V18, Durability.RELAXED).createDatabase();

  @AfterEach
  void close() {
    database.close();
  }

  /** The one who claimed knows where its holds are written; another one looks them up. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void a_group_is_free_once_its_last_leased_message_is_settled(boolean byTheClaimer)
      throws SQLException {
    Random random = new Random(7);
    try (JdbcStore store = open();
        JdbcStore other = open()) {
      append(store, AT_ONCE + 1);
      Lease lease = Objects.requireNonNull(store.lease(CHANNEL, ALL).lease());
      assertThat(lease.messages()).hasSize(AT_ONCE * GROUPS);
      Map<String, Integer> left = new HashMap<>();
      lease.messages().forEach(each -> left.merge(group(each), 1, Integer::sum));
      List<Message> open = new ArrayList<>(lease.messages());
      Collections.shuffle(open, random);

      while (!open.isEmpty()) {
        List<Message> some = open.subList(0, Math.min(open.size(), 1 + random.nextInt(60)));
        Set<String> free = new TreeSet<>();
        for (Message each : some) {
          if (left.merge(group(each), -1, Integer::sum) == 0) {
            free.add(group(each));
          }
        }
        settle(byTheClaimer ? store : other, lease, some);
        some.clear();

        Lease next = other.lease(CHANNEL, ALL).lease();
        List<Message> came = next == null ? List.of() : next.messages();
        assertThat(came)
            .extracting(PostgresHoldsTest::group)
            .containsExactlyInAnyOrderElementsOf(free);
        if (next != null) {
          settle(other, next, came);
        }
      }

      assertThat(rows("mailroom_hold") + rows("mailroom_lease") + rows("mailroom_message"))
          .isZero();
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void to_give_one_group_up_is_to_write_its_row_alone(boolean byTheClaimer) throws SQLException {
    try (JdbcStore store = open();
        JdbcStore other = open()) {
      append(store, 1);
      Lease lease = Objects.requireNonNull(store.lease(CHANNEL, ALL).lease());
      Map<Integer, String> before = versions();

      settle(byTheClaimer ? store : other, lease, lease.messages().subList(0, 1));

      Map<Integer, String> after = versions();
      assertThat(after).hasSize(4).hasSameSizeAs(before);
      after.entrySet().removeAll(before.entrySet());
      assertThat(after).hasSize(1);
    }
  }

  /** Who wrote each row of holds last. */
  private Map<Integer, String> versions() throws SQLException {
    Map<Integer, String> versions = new HashMap<>();
    try (Connection connection = database.dataSource().getConnection();
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery("SELECT part, xmin FROM mailroom_hold")) {
      while (rows.next()) {
        versions.put(rows.getInt(1), rows.getString(2));
      }
    }
    return versions;
  }

  private static void append(JdbcStore store, int each) {
    for (int round = 0; round < each; round++) {
      List<NewMessage> messages = new ArrayList<>(GROUPS);
      for (int i = 0; i < GROUPS; i++) {
        String tenant = i % 3 == 0 ? null : "t" + i % 3;
        messages.add(message("m" + round + "." + i).tenant(tenant).group("g" + i).build());
      }
      store.append(CHANNEL, messages, null);
    }
  }

  private static void settle(JdbcStore store, Lease lease, List<Message> messages) {
    List<Settlement> settlements =
        messages.stream()
            .map(each -> new Settlement(each.id(), lease.token(), new Outcome.Completed()))
            .toList();
    assertThat(store.settle(CHANNEL, settlements)).isEmpty();
  }

  private static String group(Message message) {
    return Objects.requireNonNull(message.routing().groupKey());
  }

  private JdbcStore open() {
    return JdbcStore.builder(database.dataSource()).wakeUps(false).migrateAtStart(true).build();
  }

  private long rows(String table) throws SQLException {
    try (Connection connection = database.dataSource().getConnection();
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("SELECT count(*) FROM " + table)) {
      row.next();
      return row.getLong(1);
    }
  }
}

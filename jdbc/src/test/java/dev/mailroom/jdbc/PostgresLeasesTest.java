package dev.mailroom.jdbc;

import static dev.mailroom.storetestkit.TestMessages.message;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mailroom.databases.Durability;
import dev.mailroom.databases.PostgresServer;
import dev.mailroom.databases.PostgresVersion;
import dev.mailroom.messages.Message;
import dev.mailroom.messages.Target;
import dev.mailroom.options.Ordering;
import dev.mailroom.spi.Channel;
import dev.mailroom.spi.ChannelPolicy;
import dev.mailroom.spi.Lease;
import dev.mailroom.spi.LeaseRequest;
import dev.mailroom.spi.NewMessage;
import dev.mailroom.spi.Outcome;
import dev.mailroom.spi.Settlement;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A lease that only names its messages keeps them as well as a token in their rows would. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
@Timeout(60)
class PostgresLeasesTest {
  private static final AtomicInteger CHANNELS = new AtomicInteger();
  private static final int MESSAGES = 2_000;
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
    store = JdbcStore.builder(pools.one()).wakeUps(false).build();
  }

  @AfterEach
  void close() {
    store.close();
  }

  private static Channel channel(Ordering ordering) {
    return new Channel("leases" + CHANNELS.incrementAndGet(), ordering, ChannelPolicy.defaults());
  }

  private static LeaseRequest request(int limit) {
    return new LeaseRequest("worker", limit, limit, Duration.ofHours(1), null, true);
  }

  private Lease lease(Channel channel, int limit) {
    Lease lease = store.lease(channel, request(limit)).lease();
    assertThat(lease).isNotNull();
    return lease;
  }

  @Test
  void a_claim_and_its_outcome_write_no_row_anew() throws SQLException {
    for (Ordering ordering : List.of(Ordering.NONE, Ordering.REQUIRED)) {
      Channel channel = channel(ordering);
      store.append(
          channel, List.of(message("a").group("g").build(), message("b").group("g").build()), null);
      List<String> before = places(channel);

      Lease lease = lease(channel, 10);

      assertThat(lease.messages()).hasSize(2).allMatch(each -> each.progress().attempts() == 1);
      assertThat(places(channel)).isEqualTo(before);
    }
  }

  /** Nobody waits for the disk to have such a lease, so that a crash of the server may lose it. */
  @Test
  void a_lease_that_the_server_has_lost_completes_nothing() throws SQLException {
    Channel channel = channel(Ordering.NONE);
    store.append(channel, List.of(message("a").build(), message("b").build()), null);
    Lease lost = lease(channel, 1);
    Lease kept = lease(channel, 1);
    execute("DELETE FROM mailroom_lease WHERE token = '" + lost.token() + "'");

    assertThat(store.settle(channel, List.of(completed(lost), completed(kept))))
        .containsExactly(lost.messages().get(0).id());

    try (JdbcStore other = JdbcStore.builder(pools.other()).wakeUps(false).build()) {
      Lease again = other.lease(channel, request(10)).lease();
      assertThat(again).isNotNull();
      assertThat(again.messages()).extracting(Message::id).containsExactly(completed(lost).id());
    }
  }

  private static Settlement completed(Lease lease) {
    UUID id = lease.messages().get(0).id();
    return new Settlement(id, lease.token(), Outcome.Completed.INSTANCE);
  }

  private static void execute(String sql) throws SQLException {
    try (Connection connection = pools.one().getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  /** Each with its own store, which knows nothing of where the others are. */
  @ParameterizedTest
  @EnumSource(Ordering.class)
  void many_that_claim_at_once_never_lease_one_message_twice(Ordering ordering) {
    Channel channel = channel(ordering);
    List<NewMessage> messages = new ArrayList<>();
    for (int i = 0; i < MESSAGES; i++) {
      boolean grouped = ordering == Ordering.REQUIRED || i % 2 == 0;
      messages.add(
          grouped ? message("m" + i).group("g" + i % 50).build() : message("m" + i).build());
    }
    store.append(channel, messages.subList(0, MESSAGES / 2), null);
    store.append(channel, messages.subList(MESSAGES / 2, MESSAGES), null);

    List<CompletableFuture<List<UUID>>> workers = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      workers.add(CompletableFuture.supplyAsync(() -> drain(channel)));
    }
    List<UUID> leased = workers.stream().flatMap(each -> each.join().stream()).toList();

    assertThat(leased).hasSize(MESSAGES).doesNotHaveDuplicates();
  }

  private static List<UUID> drain(Channel channel) {
    List<UUID> ids = new ArrayList<>();
    try (JdbcStore own = JdbcStore.builder(pools.other()).wakeUps(false).build()) {
      int idle = 0;
      while (idle < 20) {
        Lease lease = own.lease(channel, request(7)).lease();
        idle = lease == null ? idle + 1 : 0;
        if (lease != null) {
          List<Settlement> done = new ArrayList<>();
          lease
              .messages()
              .forEach(
                  each -> {
                    ids.add(each.id());
                    done.add(new Settlement(each.id(), lease.token(), Outcome.Completed.INSTANCE));
                  });
          assertThat(own.settle(channel, done)).isEmpty();
        }
      }
    }
    return ids;
  }

  @Test
  void a_cancel_that_waited_for_a_claim_finds_the_message_leased() throws Exception {
    Channel channel = channel(Ordering.NONE);
    UUID id = store.append(channel, List.of(message("wanted").build()), null).get(0).id();
    try (Connection claim = pools.other().getConnection();
        Statement statement = claim.createStatement()) {
      claim.setAutoCommit(false);
      statement.execute("SELECT 1 FROM mailroom_message WHERE id = '" + id + "' FOR NO KEY UPDATE");
      CompletableFuture<Boolean> cancelled =
          CompletableFuture.supplyAsync(() -> store.cancel(channel, Target.id(id)));
      awaitWaiting();
      statement.execute(
          """
          INSERT INTO mailroom_lease
            (token, channel, worker, ends_at, held, message_ids, positions, last_position)
          SELECT gen_random_uuid(), channel, 'other', 9223372036854775807, 1, uuid_send(id),
            ARRAY[position], position
          FROM mailroom_message WHERE id = '%s'"""
              .formatted(id));
      claim.commit();

      assertThat(cancelled.get()).isFalse();
    }
    assertThat(store.counts(channel).leased()).isEqualTo(1);
  }

  /** Until somebody waits for a lock: what the test is about happens at that moment only. */
  private static void awaitWaiting() throws SQLException {
    try (Connection connection = pools.other().getConnection();
        PreparedStatement waiting =
            connection.prepareStatement(
                "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'"
                    + " AND datname = current_database()")) {
      boolean found = false;
      while (!found) {
        try (ResultSet row = waiting.executeQuery()) {
          row.next();
          found = row.getInt(1) > 0;
        }
      }
    }
  }

  @Test
  void an_outcome_by_a_lease_that_was_taken_back_is_lost_even_if_the_message_came_again() {
    Channel channel = channel(Ordering.NONE);
    UUID id = store.append(channel, List.of(message("wanted").build()), null).get(0).id();
    Lease first = lease(channel, 1);
    store.release(channel, Set.of(first.token()));
    Lease second = lease(channel, 1);

    Settlement late = new Settlement(id, first.token(), Outcome.Completed.INSTANCE);
    assertThat(store.settle(channel, List.of(late))).containsExactly(id);
    Settlement done = new Settlement(id, second.token(), Outcome.Completed.INSTANCE);
    assertThat(store.settle(channel, List.of(done))).isEmpty();
  }

  private static List<String> places(Channel channel) throws SQLException {
    List<String> places = new ArrayList<>();
    try (Connection connection = pools.other().getConnection();
        PreparedStatement statement =
            connection.prepareStatement(
                """
                SELECT ctid FROM mailroom_message WHERE channel =
                  (SELECT id FROM mailroom_channel WHERE name = ?) ORDER BY id""")) {
      statement.setString(1, channel.name());
      try (ResultSet rows = statement.executeQuery()) {
        while (rows.next()) {
          places.add(rows.getString(1));
        }
      }
    }
    return places;
  }
}

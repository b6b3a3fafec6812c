package dev.mailroom.jdbc;

import static dev.mailroom.storetestkit.TestMessages.label;
import static dev.mailroom.storetestkit.TestMessages.labels;
import static dev.mailroom.storetestkit.TestMessages.message;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mailroom.databases.Durability;
import dev.mailroom.databases.PostgresServer;
import dev.mailroom.databases.PostgresVersion;
import dev.mailroom.messages.LastError;
import dev.mailroom.messages.Target;
import dev.mailroom.options.Ordering;
import dev.mailroom.spi.Channel;
import dev.mailroom.spi.ChannelPolicy;
import dev.mailroom.spi.Claim;
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
import java.util.Objects;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Claims of ordered groups lock no messages on PostgreSQL: whoever cancels one waits for the claim
 * that is under way, and nobody forgets one that is left.
 */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
@Timeout(60)
class KeptGroupsTest {
  private static final AtomicInteger CHANNELS = new AtomicInteger();
  private static final int ROUNDS = 40;
  private static final int GROUPS = 5;
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
            "kept" + CHANNELS.incrementAndGet(), Ordering.REQUIRED, ChannelPolicy.defaults());
  }

  @AfterEach
  void close() {
    store.close();
  }

  private UUID append(String label) {
    NewMessage message = message(label).group("g").build();
    return store.append(channel, List.of(message), null).get(0).id();
  }

  private @Nullable Lease lease(JdbcStore from, int limit) {
    return from.lease(channel, request(limit)).lease();
  }

  private static LeaseRequest request(int limit) {
    return new LeaseRequest("worker", limit, limit, Duration.ofHours(1), null, true);
  }

  private Lease lease(int limit) {
    Lease lease = lease(store, limit);
    assertThat(lease).isNotNull();
    return lease;
  }

  private static Settlement completed(UUID id, Lease lease) {
    return new Settlement(id, lease.token(), Outcome.Completed.INSTANCE);
  }

  @Test
  void a_cancel_that_waited_for_a_claim_finds_the_message_leased() throws Exception {
    UUID id = append("wanted");
    try (Connection claim = pools.other().getConnection();
        Statement statement = claim.createStatement()) {
      claim.setAutoCommit(false);
      statement.execute(
          """
          SELECT pg_advisory_xact_lock(('mailroom_turn'::regclass::oid::bigint << 32) | channel)
          FROM mailroom_message WHERE id = '%s'"""
              .formatted(id));
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

  @Test
  void a_claim_leaves_what_is_being_cancelled_and_all_behind_it() throws Exception {
    append("first");
    UUID second = append("second");
    append("third");
    try (Connection cancel = pools.other().getConnection()) {
      remove(second, cancel);
      Lease lease = lease(10);

      assertThat(labels(lease.messages())).containsExactly("first");
      store.settle(channel, List.of(completed(lease.messages().get(0).id(), lease)));
      assertThat(lease(store, 10)).isNull();
      cancel.commit();
    }
    assertThat(labels(lease(10).messages())).containsExactly("third");
  }

  @Test
  void a_cancel_that_was_undone_leaves_its_message_to_be_found() throws Exception {
    UUID only = append("only");
    try (Connection cancel = pools.other().getConnection()) {
      remove(only, cancel);
      assertThat(lease(store, 10)).isNull();
      cancel.rollback();
    }
    assertThat(labels(lease(10).messages())).containsExactly("only");
  }

  /** The settlement has looked at the group for the last time, and the claim sees it held. */
  @Test
  void a_message_that_comes_while_its_group_is_given_up_is_not_forgotten() throws Exception {
    UUID first = append("first");
    Lease lease = lease(10);
    try (Connection settling = pools.other().getConnection()) {
      settling.setAutoCommit(false);
      store.settle(channel, List.of(completed(first, lease)), JdbcTransaction.of(settling));
      append("second");
      Claim claim = store.lease(channel, request(10));

      assertThat(claim.lease()).isNull();
      assertThat(claim.nextDue()).as("asks to come again").isLessThan(Duration.ofMillis(10));
      settling.commit();
    }
    assertThat(labels(lease(10).messages())).containsExactly("second");
  }

  @Test
  void a_group_stays_held_however_many_claims_have_come_by() {
    UUID held = append("held");
    Lease lease = lease(1);
    append("next");
    for (int i = 0; i < 10; i++) {
      store.append(channel, List.of(message("other").group("h" + i % 2).build()), null);
      Lease other = lease(10);
      assertThat(labels(other.messages())).containsExactly("other");
      store.settle(channel, List.of(completed(other.messages().get(0).id(), other)));
    }
    assertThat(lease(store, 10)).isNull();

    store.settle(channel, List.of(completed(held, lease)));

    assertThat(labels(lease(10).messages())).containsExactly("next");
  }

  @Test
  void a_claim_waits_for_the_one_that_is_under_way() throws Exception {
    append("wanted");
    try (Connection claim = pools.other().getConnection();
        Statement statement = claim.createStatement()) {
      claim.setAutoCommit(false);
      statement.execute(
          """
          SELECT pg_advisory_xact_lock(
            ('mailroom_turn'::regclass::oid::bigint << 32) | max(channel))
          FROM mailroom_message""");
      CompletableFuture<Lease> next = CompletableFuture.supplyAsync(() -> lease(10));
      awaitWaiting();
      claim.commit();

      assertThat(labels(next.get().messages())).containsExactly("wanted");
    }
  }

  /** As a cancel does that is not committed yet. */
  private static void remove(UUID id, Connection connection) throws SQLException {
    connection.setAutoCommit(false);
    try (Statement statement = connection.createStatement()) {
      statement.execute("DELETE FROM mailroom_message WHERE id = '" + id + "'");
    }
  }

  /** Until somebody waits for a lock: what the test is about happens at that moment only. */
  private static void awaitWaiting() throws SQLException {
    try (Connection connection = pools.other().getConnection();
        PreparedStatement waiting =
            connection.prepareStatement(
                "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'"
                    + " AND datname = current_database()")) {
      boolean found = false;
      while (!found && !Thread.currentThread().isInterrupted()) {
        try (ResultSet row = waiting.executeQuery()) {
          row.next();
          found = row.getInt(1) > 0;
        }
      }
    }
  }

  @Test
  void a_message_behind_those_that_are_leased_can_be_cancelled() {
    append("first");
    UUID second = append("second");
    append("third");
    Lease lease = lease(1);

    assertThat(store.cancel(channel, Target.id(second))).isTrue();
    assertThat(store.cancel(channel, Target.id(lease.messages().get(0).id()))).isFalse();
    store.settle(channel, List.of(completed(lease.messages().get(0).id(), lease)));

    assertThat(labels(lease(10).messages())).containsExactly("third");
  }

  @Test
  void a_completion_that_was_undone_leaves_its_message_to_be_found() throws SQLException {
    UUID first = append("first");
    UUID second = append("second");
    for (int i = 0; i < 5; i++) { // all of these are seen, and so all numbers before them
      store.append(channel, List.of(message("seen").tenant("t").group("h").build()), null);
      LeaseRequest ofTenant = new LeaseRequest("worker", 1, 1, Duration.ofHours(1), "t", true);
      Lease seen = Objects.requireNonNull(store.lease(channel, ofTenant).lease());
      store.settle(channel, List.of(completed(seen.messages().get(0).id(), seen)));
    }
    Lease lease = lease(10);
    try (Connection connection = pools.one().getConnection()) {
      connection.setAutoCommit(false);
      store.settle(channel, List.of(completed(first, lease)), JdbcTransaction.of(connection));
      connection.rollback();
    }
    Outcome.Retried again =
        new Outcome.Retried(
            Duration.ZERO, LastError.of("undone", "undone"), Outcome.Counts.ATTEMPT);
    store.settle(channel, List.of(new Settlement(first, lease.token(), again)));
    store.settle(channel, List.of(completed(second, lease)));

    assertThat(labels(lease(10).messages())).containsExactly("first");
  }

  /** Each message is either cancelled or handled, and no group gets stuck. */
  @Test
  void cancels_and_claims_at_once_never_get_the_same_message() {
    for (int round = 0; round < ROUNDS; round++) {
      List<NewMessage> messages = new ArrayList<>();
      for (int i = 0; i < 40; i++) {
        messages.add(message("m" + i).group("g" + i % GROUPS).build());
      }
      store.append(channel, messages, null);
      List<UUID> ids = messages.stream().map(NewMessage::id).toList();
      AtomicBoolean cancelling = new AtomicBoolean(true);
      CompletableFuture<List<UUID>> handled =
          CompletableFuture.supplyAsync(() -> drain(pools.other(), cancelling));
      CompletableFuture<List<UUID>> handledToo =
          CompletableFuture.supplyAsync(() -> drain(pools.one(), cancelling));
      List<UUID> done = cancelSome(ids, new Random(round));
      cancelling.set(false);
      done.addAll(handled.join());
      done.addAll(handledToo.join());

      assertThat(done).containsExactlyInAnyOrderElementsOf(ids);
    }
  }

  private List<UUID> cancelSome(List<UUID> ids, Random random) {
    List<UUID> cancelled = new ArrayList<>();
    for (int i = 0; i < ids.size() / 2; i++) {
      UUID id = ids.get(random.nextInt(ids.size()));
      if (store.cancel(channel, Target.id(id))) {
        cancelled.add(id);
      }
    }
    return cancelled;
  }

  private List<UUID> drain(DataSource pool, AtomicBoolean cancelling) {
    List<UUID> ids = new ArrayList<>();
    try (JdbcStore own = JdbcStore.builder(pool).wakeUps(false).build()) {
      int idle = 0;
      while (idle < 10) {
        Lease lease = lease(own, 3);
        idle = lease != null || cancelling.get() ? 0 : idle + 1;
        if (lease != null) {
          lease.messages().forEach(each -> ids.add(each.id()));
          List<Settlement> all =
              lease.messages().stream().map(each -> completed(each.id(), lease)).toList();
          assertThat(own.settle(channel, all)).as(label(lease.messages().get(0))).isEmpty();
        }
      }
    }
    return ids;
  }
}

package dev.mailroom.jdbc;

import static dev.mailroom.storetestkit.TestMessages.channel;
import static dev.mailroom.storetestkit.TestMessages.labels;
import static dev.mailroom.storetestkit.TestMessages.message;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mailroom.databases.Durability;
import dev.mailroom.databases.MariaDbServer;
import dev.mailroom.options.Ordering;
import dev.mailroom.spi.Channel;
import dev.mailroom.spi.Claim;
import dev.mailroom.spi.Lease;
import dev.mailroom.spi.LeaseRequest;
import dev.mailroom.spi.NewMessage;
import dev.mailroom.spi.Outcome;
import dev.mailroom.spi.Settlement;
import dev.mailroom.time.TimeSource;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Claims and outcomes on MariaDB: where they look, and how little they say. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class MySqlClaimsTest {
  private static final Channel CHANNEL = channel("line").ordering(Ordering.NONE).build();

  /** Those that begin and end a transaction, and ask for their number, are among them. */
  private static final int STATEMENTS = 10;

  private final AtomicLong nanos = new AtomicLong();
  private final MySqlDialect dialect = new MySqlDialect(true);
  private final Schema schema = new Schema(null, "mailroom_", dialect, PayloadColumn.BYTES);
  private final Groups groups = dialect.groups();
  private final MySqlClaims claims = new MySqlClaims(groups, new GivenTime());
  private final MySqlSettles settles = new MySqlSettles(groups);

  private Pools pools;
  private JdbcStore store;
  private Connection connection;
  private int id;

  private final class GivenTime implements TimeSource {
    @Override
    public Instant now() {
      return Instant.EPOCH.plusNanos(nanos.get());
    }

    @Override
    public long nanos() {
      return nanos.get();
    }
  }

  @BeforeEach
  void open() throws SQLException {
    pools = new Pools(MariaDbServer.shared(Durability.RELAXED).createDatabase());
    store = JdbcStore.builder(pools.one()).build();
    append("first");
    connection = pools.other().getConnection();
    dialect.begin(connection);
    id = session().call("SELECT id FROM {channel}").list(row -> row.getInt(1)).get(0);
    complete(lease(1, null));
  }

  @AfterEach
  void close() throws SQLException {
    connection.close();
    store.close();
    pools.close();
  }

  @ParameterizedTest
  @NullSource
  @ValueSource(strings = "tenant")
  void a_claim_does_not_come_by_what_others_have_leased(@Nullable String tenant)
      throws SQLException {
    append(tenant, 1_000);
    lease(500, tenant);
    long before = status("Handler_read_next") + status("Handler_read_key");

    assertThat(lease(10, tenant).messages()).hasSize(10);

    assertThat(status("Handler_read_next") + status("Handler_read_key") - before).isLessThan(100);
  }

  @Test
  void a_claim_of_what_is_ready_takes_few_statements() throws SQLException {
    append(null, 500);
    long before = status("Questions");

    assertThat(lease(500, null).messages()).hasSize(500);

    assertThat(status("Questions") - before).isLessThanOrEqualTo(STATEMENTS);
  }

  @Test
  void what_was_committed_late_is_found_at_once_if_there_is_nothing_ahead() throws SQLException {
    try (Connection late = pools.one().getConnection()) {
      late.setAutoCommit(false);
      store.append(CHANNEL, List.of(message("late").build()), JdbcTransaction.of(late));
      append("after");
      assertThat(labels(lease(10, null).messages())).containsExactly("after");
      assertThat(claim(10, null).lease()).isNull();
      late.commit();
    }

    assertThat(labels(lease(10, null).messages())).containsExactly("late");
  }

  @Test
  void what_was_committed_late_is_found_after_a_second_if_there_is_enough_ahead()
      throws SQLException {
    try (Connection late = pools.one().getConnection()) {
      late.setAutoCommit(false);
      store.append(CHANNEL, List.of(message("late").build()), JdbcTransaction.of(late));
      append(null, 10);
      lease(1, null);
      late.commit();
    }
    assertThat(labels(lease(1, null).messages())).containsExactly("1");

    nanos.addAndGet(Watermark.INTERVAL_NANOS);

    assertThat(labels(lease(2, null).messages())).containsExactly("late", "2");
  }

  @Test
  void those_who_have_outlived_their_lifetime_do_not_move_the_mark_past_others()
      throws SQLException {
    List<NewMessage> brief = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      brief.add(message("brief").lifetime(Duration.ofNanos(1_000)).build());
    }
    store.append(CHANNEL, brief, null);
    append(null, 20);

    assertThat(labels(lease(6, null).messages())).containsExactly("0", "1", "2", "3", "4", "5");
    assertThat(labels(lease(6, null).messages())).containsExactly("6", "7", "8", "9", "10", "11");
  }

  @Test
  void completed_messages_are_not_read_again() throws SQLException {
    append(null, 500);
    Lease lease = lease(500, null);
    long before = status("Questions");
    long selects = status("Com_select");

    assertThat(complete(lease)).isEmpty();

    assertThat(status("Questions") - before).isLessThanOrEqualTo(STATEMENTS);
    assertThat(status("Com_select") - selects).as("only the lease is read").isEqualTo(1);
    assertThat(count("{message}") + count("{lease}")).isZero();
  }

  @Test
  void of_many_outcomes_only_that_is_lost_which_is_not_held() throws SQLException {
    append(null, 4);
    Lease lease = lease(3, null);
    UUID gone = lease.messages().get(1).id();
    session().call("DELETE FROM {message} WHERE id = ?").with(gone).update();
    UUID foreign = lease(1, null).messages().get(0).id();
    List<Settlement> settlements = new ArrayList<>(completed(lease));
    settlements.add(new Settlement(foreign, lease.token(), Outcome.Completed.INSTANCE));

    assertThat(settle(settlements)).containsExactlyInAnyOrder(gone, foreign);

    assertThat(count("{message}")).isEqualTo(1);
    assertThat(
            session()
                .call("SELECT held FROM {lease} WHERE token = ?")
                .with(lease.token())
                .list(row -> row.getInt(1)))
        .containsExactly(1); // the one that has gone is still counted
  }

  @Test
  void other_outcomes_beside_completed_ones_are_applied() throws SQLException {
    append(null, 3);
    Lease lease = lease(3, null);
    List<Settlement> settlements = new ArrayList<>(completed(lease));
    settlements.set(
        1, new Settlement(settlements.get(1).id(), lease.token(), Outcome.Released.INSTANCE));

    assertThat(settle(settlements)).isEmpty();

    assertThat(count("{lease}")).isZero();
    assertThat(labels(lease(3, null).messages())).containsExactly("1");
  }

  private void append(String label) {
    store.append(CHANNEL, List.of(message(label).build()), null);
  }

  private void append(@Nullable String tenant, int count) {
    List<NewMessage> messages = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      var draft = message(String.valueOf(i));
      messages.add(tenant == null ? draft.build() : draft.tenant(tenant).build());
    }
    store.append(CHANNEL, messages, null);
  }

  private Claim claim(int limit, @Nullable String tenant) throws SQLException {
    LeaseRequest request =
        new LeaseRequest("worker", limit, limit, Duration.ofHours(1), tenant, true);
    Claim claim = claims.run(line(), request, UUID.randomUUID());
    commit();
    return claim;
  }

  private Lease lease(int limit, @Nullable String tenant) throws SQLException {
    return Objects.requireNonNull(claim(limit, tenant).lease());
  }

  private static List<Settlement> completed(Lease lease) {
    return lease.messages().stream()
        .map(each -> new Settlement(each.id(), lease.token(), Outcome.Completed.INSTANCE))
        .toList();
  }

  private Set<UUID> complete(Lease lease) throws SQLException {
    return settle(completed(lease));
  }

  private Set<UUID> settle(List<Settlement> settlements) throws SQLException {
    Set<UUID> lost = settles.within(line(), settlements).lost();
    commit();
    return lost;
  }

  private void commit() throws SQLException {
    connection.commit();
    connection.setAutoCommit(true);
    dialect.begin(connection);
  }

  private Session session() {
    return new Session(connection, dialect, schema, null, Deadlines.NONE);
  }

  private Line line() {
    return new Line(session(), id, CHANNEL);
  }

  private int count(String table) throws SQLException {
    return session().call("SELECT COUNT(*) FROM " + table).list(row -> row.getInt(1)).get(0);
  }

  private long status(String name) throws SQLException {
    return session()
        .call("SHOW SESSION STATUS LIKE '" + name + "'")
        .list(row -> row.getLong(2))
        .get(0);
  }
}

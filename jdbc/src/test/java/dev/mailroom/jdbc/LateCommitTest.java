package dev.mailroom.jdbc;

import static dev.mailroom.storetestkit.TestMessages.channel;
import static dev.mailroom.storetestkit.TestMessages.labels;
import static dev.mailroom.storetestkit.TestMessages.message;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mailroom.databases.Database;
import dev.mailroom.databases.Durability;
import dev.mailroom.databases.PostgresServer;
import dev.mailroom.databases.PostgresVersion;
import dev.mailroom.options.Ordering;
import dev.mailroom.spi.Channel;
import dev.mailroom.spi.Claim;
import dev.mailroom.spi.Lease;
import dev.mailroom.spi.LeaseRequest;
import dev.mailroom.spi.Outcome;
import dev.mailroom.spi.Settlement;
import dev.mailroom.time.TimeSource;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A message that is committed behind the watermark is found, however slowly looking back goes. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class LateCommitTest {
  private static final LeaseRequest REQUEST =
      new LeaseRequest("worker", 10, 10, Duration.ofHours(1), null, true);
  private static final int ENOUGH_CLAIMS = 300;

  /** A slice takes a tenth of a second here, and a tenth of the time. */
  private static final Duration LONGEST_REST = Duration.ofMillis(1_001);

  private Database database;
  private JdbcStore store;
  private Transactions transactions;
  private ChannelIds channels;
  private PostgresClaims claims;
  private final SlowTime time = new SlowTime();

  /** Every look at it is a long time after the last one, so that looking back seems slow. */
  private static final class SlowTime implements TimeSource {
    private static final long SLOW = 100_000_000;
    private static final long QUICK = 1_000;

    private final AtomicLong nanos = new AtomicLong();
    private long step = SLOW;

    @Override
    public Instant now() {
      return Instant.EPOCH.plusNanos(nanos.get());
    }

    @Override
    public long nanos() {
      return nanos.addAndGet(step);
    }
  }

  @BeforeEach
  void open() throws SQLException {
    database = PostgresServer.shared(PostgresVersion.V18, Durability.RELAXED).createDatabase();
    store = JdbcStore.builder(database.dataSource()).wakeUps(false).migrateAtStart(true).build();
    DataSource source = database.dataSource();
    try (Connection connection = source.getConnection()) {
      Dialect dialect = Dialect.of(connection);
      Schema schema = new Schema(null, "mailroom_", dialect, PayloadColumn.BYTES);
      transactions =
          new Transactions(Connections.of(source), dialect, schema, null, Deadlines.NONE);
      channels = new ChannelIds(transactions, dialect);
      GroupStarts starts = new GroupStarts();
      claims =
          new PostgresClaims(new PostgresGroups(starts), new Places(), new Reach(), starts, time);
    }
  }

  @AfterEach
  void close() {
    store.close();
    database.close();
  }

  @ParameterizedTest
  @EnumSource(
      value = Ordering.class,
      names = {"NONE", "REQUIRED"})
  void a_claim_lets_the_worker_rest_no_longer_than_until_the_next_slice(Ordering ordering)
      throws SQLException {
    Channel channel = channel("line").ordering(ordering).build();
    store.append(channel, List.of(message("first").group("a").build()), null);
    settle(channel, claim(channel));
    try (Connection connection = database.dataSource().getConnection()) {
      connection.setAutoCommit(false);
      goTo(60_000);
      store.append(
          channel, List.of(message("late").group("b").build()), JdbcTransaction.of(connection));
      goTo(100_000);
      store.append(channel, List.of(message("after").group("c").build()), null);
      settle(channel, claim(channel));
      assertThat(claim(channel).lease()).isNull(); // a slow look: from now on there are slices
      connection.commit();
    }

    Claim claim = claim(channel);
    int rounds = 0;
    while (claim.lease() == null && rounds++ < ENOUGH_CLAIMS) {
      assertThat(claim.nextDue()).isLessThan(LONGEST_REST);
      claim = claim(channel);
    }

    assertThat(rounds).isGreaterThan(0);
    assertThat(labels(Objects.requireNonNull(claim.lease()).messages())).containsExactly("late");
  }

  private Claim claim(Channel channel) {
    return claims.lease(transactions, channels.of(channel), channel, REQUEST);
  }

  @ParameterizedTest
  @EnumSource(
      value = Ordering.class,
      names = {"NONE", "REQUIRED"})
  void what_was_committed_a_moment_late_is_found_at_once(Ordering ordering) throws SQLException {
    Channel channel = channel("moment").ordering(ordering).build();
    store.append(channel, List.of(message("first").group("a").build()), null);
    settle(channel, claim(channel));
    goTo(100_000);
    assertThat(claim(channel).lease()).isNull(); // a slow look: from now on it rests
    time.step = SlowTime.QUICK;
    try (Connection connection = database.dataSource().getConnection()) {
      connection.setAutoCommit(false);
      store.append(
          channel, List.of(message("late").group("b").build()), JdbcTransaction.of(connection));
      store.append(channel, List.of(message("after").group("c").build()), null);
      settle(channel, claim(channel));
      connection.commit();
    }

    Claim claim = claim(channel);

    assertThat(labels(Objects.requireNonNull(claim.lease()).messages())).containsExactly("late");
  }

  private void settle(Channel channel, Claim claim) {
    Lease lease = Objects.requireNonNull(claim.lease());
    List<Settlement> settlements =
        lease.messages().stream()
            .map(each -> new Settlement(each.id(), lease.token(), new Outcome.Completed()))
            .toList();
    assertThat(store.settle(channel, settlements)).isEmpty();
  }

  private void goTo(long number) throws SQLException {
    try (Connection connection = database.dataSource().getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute("SELECT setval('mailroom_number', " + number + ")");
    }
  }
}

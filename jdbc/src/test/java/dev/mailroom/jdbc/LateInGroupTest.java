package dev.mailroom.jdbc;

import static dev.mailroom.storetestkit.TestMessages.channel;
import static dev.mailroom.storetestkit.TestMessages.label;
import static dev.mailroom.storetestkit.TestMessages.message;
import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.mailroom.databases.Database;
import dev.mailroom.databases.Durability;
import dev.mailroom.databases.PostgresServer;
import dev.mailroom.databases.PostgresVersion;
import dev.mailroom.spi.Channel;
import dev.mailroom.spi.Claim;
import dev.mailroom.spi.Lease;
import dev.mailroom.spi.LeaseRequest;
import dev.mailroom.spi.LeasingWriter;
import dev.mailroom.spi.NewMessage;
import dev.mailroom.spi.Outcome;
import dev.mailroom.spi.Settlement;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Transactions commit in another order than they take their places in a group. Whatever the store
 * remembers of the group, none of their messages is passed over, and what was committed before
 * another one was written goes before it.
 */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class LateInGroupTest {
  private static final Channel CHANNEL = channel("late").build();
  private static final LeaseRequest REQUEST =
      new LeaseRequest("worker", 8, 3, Duration.ofHours(1), null, true);
  private static final int GROUPS = 3;
  private static final int OPEN = 4;
  private static final int STEPS = 250;
  private static final int CLAIMS = 1_000;

  private Database database;
  private HikariDataSource pool;
  private JdbcStore store;
  private Random random;

  /** An open transaction, and what it has written. */
  private record Writer(Connection connection, List<String> labels) {}

  private final Deque<Writer> writers = new ArrayDeque<>();
  private final List<Lease> leases = new ArrayList<>();
  private final List<String> handled = new ArrayList<>();

  /** How many messages were committed when this one was written, and when it was committed. */
  private final Map<String, Integer> writtenAt = new HashMap<>();

  private final Map<String, Integer> committedAt = new HashMap<>();
  private int clock;
  private int written;

  @BeforeEach
  void open() {
    database = PostgresServer.shared(PostgresVersion.V18, Durability.RELAXED).createDatabase();
    pool = new HikariDataSource();
    pool.setJdbcUrl(database.jdbcUrl());
    pool.setMaximumPoolSize(OPEN + 2);
    store = JdbcStore.builder(pool).wakeUps(false).migrateAtStart(true).build();
  }

  @AfterEach
  void close() throws SQLException {
    while (!writers.isEmpty()) {
      end(writers.remove(), false);
    }
    store.close();
    pool.close();
    database.close();
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5})
  void nothing_is_passed_over(long seed) throws SQLException {
    random = new Random(seed);
    for (int step = 0; step < STEPS; step++) {
      step();
    }
    while (!writers.isEmpty()) {
      end(writers.remove(), true);
    }
    drain();

    assertThat(handled).hasSameSizeAs(committedAt.keySet());
    assertThat(handled).containsExactlyInAnyOrderElementsOf(committedAt.keySet());
    for (int late = 0; late < handled.size(); late++) {
      for (int early = 0; early < late; early++) {
        requireOrder(handled.get(early), handled.get(late));
      }
    }
  }

  private void requireOrder(String early, String late) {
    if (group(early).equals(group(late))) {
      assertThat(committedAt.get(late))
          .as("%s was committed before %s was written, and is handled after it", late, early)
          .isGreaterThan(writtenAt.get(early));
    }
  }

  private void step() throws SQLException {
    switch (random.nextInt(9)) {
      case 0 -> write();
      case 1 -> writeOpen();
      case 2 -> writeMore();
      case 3 -> end();
      case 4 -> writeLeased();
      case 5, 6 -> claim();
      default -> settle();
    }
  }

  private NewMessage next(List<String> labels) {
    String label = "g" + random.nextInt(GROUPS) + "-" + written++;
    labels.add(label);
    writtenAt.put(label, ++clock);
    return message(label).group(group(label)).build();
  }

  private List<NewMessage> some(List<String> labels) {
    List<NewMessage> messages = new ArrayList<>();
    for (int i = random.nextInt(3); i >= 0; i--) {
      messages.add(next(labels));
    }
    return messages;
  }

  private static String group(String label) {
    return label.substring(0, label.indexOf('-'));
  }

  private void committed(List<String> labels) {
    int now = ++clock;
    labels.forEach(label -> committedAt.put(label, now));
  }

  private void write() {
    List<String> labels = new ArrayList<>();
    store.append(CHANNEL, some(labels), null);
    committed(labels);
  }

  private void writeLeased() {
    List<String> labels = new ArrayList<>();
    LeasingWriter writer = (LeasingWriter) store;
    Lease lease = writer.appendLeased(CHANNEL, some(labels), REQUEST).lease();
    committed(labels);
    take(lease);
  }

  private void writeOpen() throws SQLException {
    if (writers.size() < OPEN) {
      Connection connection = pool.getConnection();
      connection.setAutoCommit(false);
      Writer writer = new Writer(connection, new ArrayList<>());
      store.append(CHANNEL, some(writer.labels()), JdbcTransaction.of(connection));
      if (random.nextBoolean()) {
        writers.addFirst(writer);
      } else {
        writers.addLast(writer);
      }
    }
  }

  /** A transaction that has begun before others takes a place after theirs. */
  private void writeMore() {
    if (!writers.isEmpty()) {
      Writer writer = random.nextBoolean() ? writers.getFirst() : writers.getLast();
      store.append(CHANNEL, some(writer.labels()), JdbcTransaction.of(writer.connection()));
    }
  }

  private void end() throws SQLException {
    if (!writers.isEmpty()) {
      end(writers.remove(), random.nextInt(5) > 0);
    }
  }

  private void end(Writer writer, boolean committing) throws SQLException {
    try (Connection connection = writer.connection()) {
      if (committing) {
        connection.commit();
        committed(writer.labels());
      } else {
        connection.rollback();
      }
      connection.setAutoCommit(true);
    }
  }

  private Claim claim() {
    Claim claim = store.lease(CHANNEL, REQUEST);
    take(claim.lease());
    return claim;
  }

  private void take(Lease lease) {
    if (lease != null) {
      lease.messages().forEach(each -> handled.add(label(each)));
      leases.add(lease);
    }
  }

  private void settle() {
    if (!leases.isEmpty()) {
      Lease lease = leases.remove(random.nextInt(leases.size()));
      boolean given = random.nextInt(4) == 0;
      Outcome outcome = given ? Outcome.Released.INSTANCE : new Outcome.Completed();
      List<Settlement> settlements =
          lease.messages().stream()
              .map(each -> new Settlement(each.id(), lease.token(), outcome))
              .toList();
      if (given) {
        lease.messages().forEach(each -> handled.remove(label(each)));
      }
      assertThat(store.settle(CHANNEL, settlements)).isEmpty();
    }
  }

  private void drain() {
    for (int claims = 0; claims < CLAIMS && !isDone(); claims++) {
      while (!leases.isEmpty()) {
        settle();
      }
      claim();
    }
  }

  private boolean isDone() {
    return leases.isEmpty() && handled.size() == committedAt.size();
  }
}

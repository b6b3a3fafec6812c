package dev.mailroom.jdbc.plans;

import static dev.mailroom.storetestkit.TestMessages.channel;
import static dev.mailroom.storetestkit.TestMessages.label;
import static dev.mailroom.storetestkit.TestMessages.message;
import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.mailroom.databases.Database;
import dev.mailroom.databases.Durability;
import dev.mailroom.databases.PostgresServer;
import dev.mailroom.databases.PostgresVersion;
import dev.mailroom.jdbc.JdbcStore;
import dev.mailroom.jdbc.JdbcTransaction;
import dev.mailroom.spi.Channel;
import dev.mailroom.spi.Claim;
import dev.mailroom.spi.Lease;
import dev.mailroom.spi.LeaseRequest;
import dev.mailroom.spi.Outcome;
import dev.mailroom.spi.Settlement;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

/** A group that gets one message after the other leaves few turns behind, and forgets none. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class HotGroupTest {
  private static final Channel CHANNEL = channel("hot").build();
  private static final int WRITERS = 4;
  private static final int EACH = 250;

  private Database database;
  private HikariDataSource pool;
  private JdbcStore store;

  @BeforeEach
  void open() {
    database = PostgresServer.shared(PostgresVersion.V18, Durability.RELAXED).createDatabase();
    pool = new HikariDataSource();
    pool.setJdbcUrl(database.jdbcUrl());
    pool.setMaximumPoolSize(WRITERS + 2);
    store = JdbcStore.builder(pool).wakeUps(false).migrateAtStart(true).build();
  }

  @AfterEach
  void close() {
    store.close();
    pool.close();
    database.close();
  }

  @Test
  void messages_appended_one_by_one_share_a_turn() throws SQLException {
    for (int i = 0; i < 50; i++) {
      append("a" + i);
    }

    assertThat(turns()).isEqualTo(1);
    assertThat(handleAll()).hasSize(50);
    append("again");
    assertThat(handleAll()).containsExactly("again");
  }

  @Test
  void an_open_transaction_keeps_nobody_waiting() throws SQLException {
    append("first");
    try (Connection connection = pool.getConnection()) {
      connection.setAutoCommit(false);
      store.append(
          CHANNEL, List.of(message("open").group("g").build()), JdbcTransaction.of(connection));
      assertThat(handleAll()).containsExactly("first");
      connection.commit();
      connection.setAutoCommit(true);
    }

    assertThat(handleAll()).containsExactly("open");
  }

  @Test
  void the_callers_other_statements_are_planned_as_before() throws SQLException {
    try (Connection connection = pool.getConnection();
        Statement statement = connection.createStatement()) {
      connection.setAutoCommit(false);
      JdbcTransaction transaction = JdbcTransaction.of(connection);
      store.append(CHANNEL, List.of(message("one").group("g").build()), transaction);
      store.append(CHANNEL, List.of(message("two").build(), message("three").build()), transaction);
      try (ResultSet row = statement.executeQuery("SHOW enable_seqscan")) {
        row.next();
        assertThat(row.getString(1)).isEqualTo("on");
      }
      connection.commit();
      connection.setAutoCommit(true);
    }

    assertThat(handleAll()).containsExactlyInAnyOrder("one", "two", "three");
  }

  @Test
  void none_is_forgotten_while_writers_and_a_worker_race() throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(WRITERS);
    List<String> handled = new ArrayList<>();
    try {
      List<Future<?>> writers = new ArrayList<>();
      for (int writer = 0; writer < WRITERS; writer++) {
        String name = "w" + writer + "-";
        writers.add(threads.submit(() -> write(name)));
      }
      while (!writers.stream().allMatch(Future::isDone)) {
        handled.addAll(handleAll());
      }
      for (Future<?> writer : writers) {
        writer.get();
      }
    } finally {
      threads.shutdownNow();
    }
    handled.addAll(handleAll());

    assertThat(handled).doesNotHaveDuplicates().hasSize(WRITERS * EACH);
    for (int writer = 0; writer < WRITERS; writer++) {
      String name = "w" + writer + "-";
      List<Integer> order =
          handled.stream()
              .filter(each -> each.startsWith(name))
              .map(each -> Integer.valueOf(each.substring(name.length())))
              .toList();
      assertThat(order).isSorted();
    }
  }

  private void write(String name) {
    for (int i = 0; i < EACH; i++) {
      append(name + i);
    }
  }

  private void append(String label) {
    store.append(CHANNEL, List.of(message(label).group("g").build()), null);
  }

  /** Claims and settles until there is nothing any more, however often it takes to say so. */
  private List<String> handleAll() {
    List<String> handled = new ArrayList<>();
    LeaseRequest request = new LeaseRequest("worker", 20, 5, Duration.ofHours(1), null, true);
    Claim claim = store.lease(CHANNEL, request);
    while (claim.lease() != null || claim.nextDue() != null) {
      Lease lease = claim.lease();
      if (lease != null) {
        List<Settlement> settlements = new ArrayList<>();
        lease.messages().forEach(each -> handled.add(label(each)));
        lease
            .messages()
            .forEach(
                each ->
                    settlements.add(
                        new Settlement(each.id(), lease.token(), new Outcome.Completed())));
        assertThat(store.settle(CHANNEL, settlements)).isEmpty();
      }
      claim = store.lease(CHANNEL, request);
    }
    return handled;
  }

  private long turns() throws SQLException {
    try (Connection connection = pool.getConnection();
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("SELECT count(*) FROM mailroom_turn")) {
      row.next();
      return row.getLong(1);
    }
  }
}

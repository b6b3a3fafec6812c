package dev.mailroom.jdbc.plans;

import static dev.mailroom.storetestkit.TestMessages.channel;
import static dev.mailroom.storetestkit.TestMessages.message;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.mailroom.deadletters.DeadLetterFilter;
import dev.mailroom.inspection.MessageFilter;
import dev.mailroom.jdbc.JdbcTransaction;
import dev.mailroom.messages.Due;
import dev.mailroom.messages.LastError;
import dev.mailroom.messages.Target;
import dev.mailroom.options.Ordering;
import dev.mailroom.spi.Channel;
import dev.mailroom.spi.Checkpoint;
import dev.mailroom.spi.Commit;
import dev.mailroom.spi.Lease;
import dev.mailroom.spi.LeaseRequest;
import dev.mailroom.spi.LeasingWriter;
import dev.mailroom.spi.NewMessage;
import dev.mailroom.spi.Outcome;
import dev.mailroom.spi.Purge;
import dev.mailroom.spi.Settlement;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

/**
 * On a server with LLVM and its default settings, no statement of the store is compiled: not in the
 * store's own transactions, and not in the caller's, whose other statements still are.
 */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class CompiledStatementsTest {
  private static final Channel ORDERED =
      channel("ordered").ordering(Ordering.WHEN_KEYED).history(Duration.ofDays(1)).build();
  private static final Channel UNORDERED = channel("unordered").ordering(Ordering.NONE).build();
  private static final LeaseRequest REQUEST =
      new LeaseRequest("worker", 20, 10, Duration.ofHours(1), null, true);
  private static final LeaseRequest OF_TENANT =
      new LeaseRequest("worker", 20, 10, Duration.ofHours(1), "t", true);
  private static final LastError ERROR = LastError.of("failed", "on purpose");

  /** The planner takes each of the three for a thousand rows: expensive, as far as it knows. */
  private static final String EXPENSIVE =
      """
      WITH three AS MATERIALIZED (
        SELECT * FROM generate_series(1, (SELECT count(*)::int FROM pg_am LIMIT 1)))
      SELECT count(*) FROM three a, three b, three c""";

  private Workbench bench;

  @BeforeEach
  void open() throws SQLException {
    bench = new Workbench();
    assumeThat(bench.compilesStatements())
        .as("This server was built without LLVM: it compiles no statement, so this was not tested.")
        .isTrue();
  }

  @AfterEach
  void close() throws SQLException {
    bench.close();
  }

  @Test
  void the_test_sees_when_a_statement_is_compiled() throws SQLException {
    try (Connection connection = bench.explained()) {
      assertThat(bench.plansOf(connection, EXPENSIVE)).anyMatch(Plan::isCompiled);
    }
  }

  @Test
  void no_statement_of_the_stores_own_transactions_is_compiled() {
    for (Channel channel : List.of(UNORDERED, ORDERED)) {
      for (List<NewMessage> messages : appends()) {
        bench.watch(() -> bench.store.append(channel, messages, null));
      }
      LeasingWriter writer = (LeasingWriter) bench.store;
      List<NewMessage> arriving = List.of(message("a").group("new").build());
      bench.watch(() -> writer.appendLeased(channel, arriving, REQUEST));
      Lease lease = lease(channel, REQUEST);
      bench.watch(() -> bench.store.extend(channel, Set.of(lease.token()), Duration.ofHours(2)));
      checkpoint(channel, lease);
      bench.watch(() -> bench.store.settle(channel, outcomes(lease)));
      Lease tenants = lease(channel, OF_TENANT);
      bench.watch(() -> bench.store.release(channel, Set.of(tenants.token())));
      bench.watch(() -> bench.store.reclaim(channel, 10));
      bench.watch(() -> bench.store.commit(commit(channel)));
      change(channel);
      look(channel);
    }
  }

  @Test
  void no_statement_of_the_store_in_the_callers_transaction_is_compiled() throws SQLException {
    for (Channel channel : List.of(UNORDERED, ORDERED)) {
      bench.store.append(channel, appends().get(0), null);
      try (Connection connection = bench.explained()) {
        connection.setAutoCommit(false);
        JdbcTransaction transaction = JdbcTransaction.of(connection);
        for (List<NewMessage> messages : appends()) {
          bench.watch(connection, () -> bench.store.append(channel, messages, transaction));
        }
        assertThat(bench.plansOf(connection, EXPENSIVE)).anyMatch(Plan::isCompiled);
        connection.commit();
      }
      Lease lease = lease(channel, REQUEST);
      try (Connection connection = bench.explained()) {
        connection.setAutoCommit(false);
        JdbcTransaction transaction = JdbcTransaction.of(connection);
        bench.watch(connection, () -> bench.store.settle(channel, outcomes(lease), transaction));
        assertThat(bench.plansOf(connection, EXPENSIVE)).anyMatch(Plan::isCompiled);
        connection.commit();
      }
    }
  }

  /** One of each way to append: single, in a batch, with keys, delayed, replaced, compared. */
  private static List<List<NewMessage>> appends() {
    List<NewMessage> batch = new ArrayList<>();
    for (int i = 0; i < 30; i++) {
      batch.add(message("m" + i).group("g" + i % 3).build());
    }
    return List.of(
        batch,
        List.of(message("bare").build()),
        List.of(message("grouped").group("g").build()),
        List.of(message("tenant").tenant("t").group("g").build(), message("x").tenant("t").build()),
        List.of(message("keyed").key("k").group("g").build()),
        List.of(message("again").key("k").group("g").build()),
        List.of(message("later").delay(Duration.ofHours(1)).build()),
        List.of(message("replacing").collapse("c").group("g").build()),
        List.of(message("replacing").collapse("c").group("g").build()),
        List.of(message("compared").key("s").strict().build()));
  }

  private Lease lease(Channel channel, LeaseRequest request) {
    return Objects.requireNonNull(
        bench.watch(() -> bench.store.lease(channel, request)).answer().lease());
  }

  private void checkpoint(Channel channel, Lease lease) {
    Checkpoint checkpoint =
        new Checkpoint(lease.messages().get(0).id(), lease.token(), "step", "done");
    bench.watch(
        () -> {
          bench.store.checkpoint(channel, checkpoint);
          return 0;
        });
  }

  /** Each kind of outcome in turn. */
  private static List<Settlement> outcomes(Lease lease) {
    List<Outcome> kinds =
        List.of(
            Outcome.Completed.INSTANCE,
            new Outcome.Retried(Duration.ofSeconds(1), ERROR, Outcome.Counts.ATTEMPT),
            Outcome.Released.INSTANCE,
            new Outcome.Dead(ERROR));
    List<Settlement> settlements = new ArrayList<>();
    for (int i = 0; i < lease.messages().size(); i++) {
      settlements.add(
          new Settlement(lease.messages().get(i).id(), lease.token(), kinds.get(i % kinds.size())));
    }
    return settlements;
  }

  private static Commit commit(Channel channel) {
    return new Commit(
        List.of(),
        List.of(new Commit.Appends(channel, List.of(message("of a step").build()))),
        List.of(new Commit.Cancel(channel, Target.key("none"))),
        null);
  }

  private void change(Channel channel) {
    bench.watch(() -> bench.store.reschedule(channel, Target.key("k"), Due.NOW));
    bench.watch(() -> bench.store.cancel(channel, Target.key("k")));
    bench.watch(() -> bench.store.redrive(channel, DeadLetterFilter.all(), 1));
    bench.watch(() -> bench.store.discard(channel, DeadLetterFilter.all(), 1));
    for (Purge what : Purge.values()) {
      bench.watch(() -> bench.store.purge(channel, what, 10));
    }
  }

  private void look(Channel channel) {
    bench.watch(() -> bench.store.counts(channel));
    bench.watch(() -> bench.store.find(channel, Target.key("s")));
    bench.watch(() -> bench.store.search(channel, MessageFilter.all(), null, 10));
    bench.watch(() -> bench.store.deadLetters(channel, DeadLetterFilter.all(), null, 10));
  }
}

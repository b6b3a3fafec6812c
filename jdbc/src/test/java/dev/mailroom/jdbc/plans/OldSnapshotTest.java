package dev.mailroom.jdbc.plans;

import static dev.mailroom.storetestkit.TestMessages.channel;
import static dev.mailroom.storetestkit.TestMessages.message;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mailroom.spi.Channel;
import dev.mailroom.spi.Lease;
import dev.mailroom.spi.LeaseRequest;
import dev.mailroom.spi.NewMessage;
import dev.mailroom.spi.Outcome;
import dev.mailroom.spi.Settlement;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

/**
 * While somebody has an old snapshot open, nothing that is gone can be cleaned away: a group's
 * claim and its settlement do not walk over it.
 */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class OldSnapshotTest {
  private static final Channel CHANNEL = channel("ordered").build();
  private static final LeaseRequest REQUEST =
      new LeaseRequest("worker", 100, 100, Duration.ofHours(1), null, true);

  /** Long, so that the index of groups is larger than others, and looks dearer. */
  private static final String GROUP = "one".repeat(20);

  private static final int ROUNDS = 100;
  private static final int WATCHED = 10;

  /** What a hold leaves of itself stays: one page or two of each round. */
  private static final long MOST_MORE = 3L * ROUNDS;

  @Test
  void a_group_costs_no_more_after_ten_thousand_messages() throws SQLException {
    try (Workbench bench = new Workbench();
        Connection holder = bench.connection();
        Statement statement = holder.createStatement()) {
      rounds(bench, 1);
      holder.setAutoCommit(false);
      holder.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
      statement.execute("SELECT count(*) FROM pg_class");

      long early = rounds(bench, WATCHED);
      rounds(bench, ROUNDS - 3 * WATCHED);
      long late = rounds(bench, WATCHED);
      // What a vacuum notes that was overtaken by the queue: wherever the planner looks is next to
      // nothing, and one index as good as another.
      bench.run(
          """
          UPDATE pg_class SET reltuples = 5, relpages = pg_relation_size(oid) / 8192
          WHERE relname = 'mailroom_message'""");
      long planned = rounds(bench, WATCHED);

      assertThat(late).isLessThan(early + MOST_MORE);
      assertThat(planned).isLessThan(early + MOST_MORE);
      holder.rollback();
    }
  }

  /** The fewest pages that a round has touched: some of them also look back, when it is time. */
  private static long rounds(Workbench bench, int rounds) throws SQLException {
    long fewest = Long.MAX_VALUE;
    for (int round = 0; round < rounds; round++) {
      append(bench);
      fewest = Math.min(fewest, bench.watch(() -> handle(bench)).pages());
    }
    return fewest;
  }

  private static void append(Workbench bench) {
    List<NewMessage> messages = new ArrayList<>();
    for (int i = 0; i < REQUEST.limit(); i++) {
      messages.add(message("m" + i).group(GROUP).build());
    }
    bench.store.append(CHANNEL, messages, null);
  }

  private static int handle(Workbench bench) {
    Lease lease = Objects.requireNonNull(bench.store.lease(CHANNEL, REQUEST).lease());
    assertThat(lease.messages()).hasSize(REQUEST.limit());
    List<Settlement> settlements =
        lease.messages().stream()
            .map(each -> new Settlement(each.id(), lease.token(), new Outcome.Completed()))
            .toList();
    assertThat(bench.store.settle(CHANNEL, settlements)).isEmpty();
    return lease.messages().size();
  }
}

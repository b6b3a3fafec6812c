package dev.mailroom.jdbc.plans;

import static dev.mailroom.storetestkit.TestMessages.channel;
import static dev.mailroom.storetestkit.TestMessages.message;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mailroom.jdbc.plans.Workbench.Cost;
import dev.mailroom.messages.Due;
import dev.mailroom.messages.Target;
import dev.mailroom.options.Ordering;
import dev.mailroom.spi.Channel;
import dev.mailroom.spi.Claim;
import dev.mailroom.spi.Lease;
import dev.mailroom.spi.LeaseRequest;
import dev.mailroom.spi.Outcome;
import dev.mailroom.spi.Settlement;
import dev.mailroom.storetestkit.MessageDraft;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What timeouts do costs the same with a million pending over the next day as with a thousand: no
 * statement reads a table, and what is not due is not read.
 */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class TimeoutCostTest {
  private static final Logger LOG = LoggerFactory.getLogger(TimeoutCostTest.class);
  private static final int FEW = 1_000;
  private static final int MANY = 1_000_000;
  private static final double MOST_GROWTH = 1.3;
  private static final int BATCH = 100;
  private static final int WARM_UPS = 2;
  private static final int MEASURED = 5;
  private static final Duration DAY = Duration.ofDays(1);
  private static final Channel TIMEOUTS =
      channel("timeouts").ordering(Ordering.NONE).deduplicationWindow(Duration.ZERO).build();

  @Test
  void a_million_pending_ones_cost_what_a_thousand_do() throws SQLException {
    Map<String, Long> few = measure(FEW);
    Map<String, Long> many = measure(MANY);

    SoftAssertions softly = new SoftAssertions();
    many.forEach(
        (what, pages) -> {
          long before = few.getOrDefault(what, 0L);
          LOG.info("{}: {} pages with {} pending, {} with {}", what, before, FEW, pages, MANY);
          softly
              .assertThat(pages)
              .as(what + ", which touched " + before + " pages before")
              .isLessThanOrEqualTo((long) (MOST_GROWTH * before));
        });
    softly.assertAll();
  }

  private static Map<String, Long> measure(int pending) throws SQLException {
    try (Workbench bench = new Workbench()) {
      new Backlog(bench, TIMEOUTS, "").delayed(pending, DAY);
      Map<String, Long> pages = new LinkedHashMap<>();
      run(bench, "not analysed", pages);
      bench.analyze();
      run(bench, "analysed", pages);
      return pages;
    }
  }

  private static void run(Workbench bench, String world, Map<String, Long> pages)
      throws SQLException {
    Costs costs = new Costs(bench);
    for (int round = 0; round < WARM_UPS + MEASURED; round++) {
      MessageDraft plain = message("plain").delay(Duration.ofHours(7));
      MessageDraft named = named("named", Duration.ofHours(7));
      costs.add("insert", () -> append(bench, plain));
      costs.add("insert with a key", () -> append(bench, named));
      costs.add("replace by a key", () -> append(bench, named("named", Duration.ofHours(8))));
      costs.add("move", () -> move(bench, Target.id(plain.id())));
      costs.add("cancel by id", () -> cancel(bench, Target.id(plain.id())));
      costs.add("cancel by key", () -> cancel(bench, Target.key("named")));
      costs.add("claim when nothing is due", () -> claim(bench));
      for (int i = 0; i < BATCH; i++) {
        append(bench, message("due").delay(Duration.ofNanos(1_000)));
      }
      Lease lease = Objects.requireNonNull(costs.add("claim", () -> claim(bench)).lease());
      assertThat(lease.messages()).hasSize(BATCH);
      costs.add("remove", () -> remove(bench, lease));
    }
    costs.least(world, pages);
  }

  /** What each verb has cost so far. */
  private static final class Costs {
    private final Workbench bench;
    private final Map<String, List<Long>> all = new LinkedHashMap<>();

    Costs(Workbench bench) {
      this.bench = bench;
    }

    <T> T add(String what, Supplier<T> verb) throws SQLException {
      Cost<T> cost = bench.watch(verb);
      for (Plan plan : cost.plans()) {
        assertThat(plan.nodes())
            .as(plan.query())
            .noneMatch(
                node -> node.type().equals("Seq Scan") && node.table().startsWith("mailroom_"))
            .noneMatch(node -> node.rows() > 2 * BATCH);
      }
      all.computeIfAbsent(what, key -> new ArrayList<>()).add(cost.pages());
      return cost.answer();
    }

    /** Once in a second a claim also looks back; the least is what it costs without. */
    void least(String world, Map<String, Long> pages) {
      all.forEach(
          (what, costs) ->
              pages.put(
                  what + ", " + world, Collections.min(costs.subList(WARM_UPS, costs.size()))));
    }
  }

  private static MessageDraft named(String key, Duration delay) {
    return message(key).key(key).collapse(key).delay(delay);
  }

  private static boolean append(Workbench bench, MessageDraft draft) {
    return bench.store.append(TIMEOUTS, List.of(draft.build()), null).get(0).accepted();
  }

  private static boolean move(Workbench bench, Target target) {
    return bench.store.reschedule(TIMEOUTS, target, Due.after(Duration.ofHours(9)));
  }

  private static boolean cancel(Workbench bench, Target target) {
    return bench.store.cancel(TIMEOUTS, target);
  }

  private static Claim claim(Workbench bench) {
    return bench.store.lease(
        TIMEOUTS, new LeaseRequest("worker", BATCH, BATCH, Duration.ofMinutes(5), null, true));
  }

  private static boolean remove(Workbench bench, Lease lease) {
    List<Settlement> settlements =
        lease.messages().stream()
            .map(each -> new Settlement(each.id(), lease.token(), Outcome.Completed.INSTANCE))
            .toList();
    return bench.store.settle(TIMEOUTS, settlements).isEmpty();
  }
}

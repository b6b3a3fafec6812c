package dev.mailroom.jdbc.plans;

import static dev.mailroom.storetestkit.TestMessages.channel;
import static dev.mailroom.storetestkit.TestMessages.message;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mailroom.jdbc.plans.Workbench.Cost;
import dev.mailroom.messages.LastError;
import dev.mailroom.options.Backoff;
import dev.mailroom.options.Ordering;
import dev.mailroom.spi.Channel;
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
import java.util.Set;
import java.util.UUID;
import java.util.function.Supplier;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What the store does costs the same with a million messages pending as with ten thousand, a
 * million delayed ones beside them included: no statement reads a table or sorts a backlog, and
 * hardly more pages are touched. That holds for plans that were made when the tables were empty,
 * and for those made after an ANALYZE.
 */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class ClaimCostTest {
  private static final Logger LOG = LoggerFactory.getLogger(ClaimCostTest.class);
  private static final int FEW = 10_000;
  private static final int MANY = 1_000_000;
  private static final int BATCH = 100;

  /** One level more of an index is no growth, nor is it where few pages are touched at all. */
  private static final double MOST_GROWTH = 1.35;

  /** What one step of a statement may look at: the most turns that a claim takes at once. */
  private static final int MOST_ROWS = 1_100;

  private static final int WARM_UPS = 2;
  private static final int MEASURED = 5;
  private static final Backoff LATER =
      Backoff.exponential(Duration.ofHours(1), Duration.ofHours(1));
  private static final Outcome RETRIED =
      new Outcome.Retried(Duration.ofHours(1), LastError.of("failed", ""), Outcome.Counts.ATTEMPT);
  private static final Channel LINE =
      channel("backlog").ordering(Ordering.NONE).crashBackoff(LATER).build();
  private static final Channel GROUPS = channel("backlog").build();

  private static Workbench small;
  private static Workbench big;

  @BeforeAll
  static void open() throws SQLException {
    small = new Workbench();
    new Backlog(small, LINE, "").delayed(FEW);
    big = new Workbench();
    new Backlog(big, LINE, "").delayed(MANY);
  }

  @AfterAll
  static void close() throws SQLException {
    small.close();
    big.close();
  }

  @Test
  void unordered() throws SQLException {
    compare(
        new Scene(
            LINE,
            List.of(1),
            (bench, size) -> {
              new Backlog(bench, LINE, "other").ready(size);
              new Backlog(bench, LINE, "ours").ready(FEW);
            }));
  }

  @Test
  void ordered_with_ten_messages_in_every_group() throws SQLException {
    compare(
        new Scene(
            GROUPS,
            List.of(10, 1),
            (bench, size) -> {
              new Backlog(bench, GROUPS, "other").grouped(size, size / 10, 10);
              new Backlog(bench, GROUPS, "ours").grouped(FEW, FEW / 10, 10);
            }));
  }

  @Test
  void ordered_with_one_group_whose_messages_were_appended_one_by_one() throws SQLException {
    compare(
        new Scene(
            GROUPS,
            List.of(100, 10),
            (bench, size) -> {
              new Backlog(bench, GROUPS, "other").grouped(size, 1, 1);
              new Backlog(bench, GROUPS, "ours").grouped(FEW, 1, 1);
            }));
  }

  @Test
  void reclaiming_and_extending_beside_many_leases() throws SQLException {
    Map<String, Long> few = leases(small, FEW);
    Map<String, Long> many = leases(big, MANY);

    assertFlat(few, many);
  }

  /** Something to fill a database with. */
  private interface Filling {
    void fill(Workbench bench, int size) throws SQLException;
  }

  /** A channel with a backlog, and how many messages of a group a claim takes at most. */
  private record Scene(Channel channel, List<Integer> groupLimits, Filling filling) {}

  private static void compare(Scene scene) throws SQLException {
    assertFlat(play(small, scene, FEW), play(big, scene, MANY));
  }

  private static void assertFlat(Map<String, Long> few, Map<String, Long> many) {
    SoftAssertions softly = new SoftAssertions();
    many.forEach(
        (what, pages) -> {
          long before = few.getOrDefault(what, 0L);
          LOG.info("{}: {} pages at first, then {}", what, before, pages);
          long most = Math.max(before + 2, (long) (MOST_GROWTH * before));
          softly.assertThat(pages).as(what).isLessThanOrEqualTo(most);
        });
    softly.assertAll();
  }

  private static Map<String, Long> play(Workbench bench, Scene scene, int size)
      throws SQLException {
    bench.clear();
    plan(bench, scene.channel());
    scene.filling().fill(bench, size);
    Map<String, Long> pages = new LinkedHashMap<>();
    measure(bench, scene, "not analysed", pages);
    bench.analyze();
    measure(bench, scene, "analysed", pages);
    return pages;
  }

  /** Lets the server make its plans while there is nothing. */
  private static void plan(Workbench bench, Channel channel) throws SQLException {
    for (String tenant : List.of("", "ours", "other")) {
      bench.store.append(channel, List.of(draft(tenant).build(), draft(tenant).build()), null);
      bench.store.append(channel, List.of(draft(tenant).build()), null);
      Lease lease = claim(bench, channel, 1, tenant).answer();
      while (lease != null) {
        settle(bench, channel, lease, Outcome.Completed.INSTANCE);
        lease = claim(bench, channel, 1, tenant).answer();
      }
      assertThat(bench.store.reclaim(channel, BATCH)).isZero();
    }
  }

  private static void measure(Workbench bench, Scene scene, String world, Map<String, Long> pages)
      throws SQLException {
    for (int groupLimit : scene.groupLimits()) {
      for (String tenant : List.of("", "ours", "other")) {
        List<Long> claims = new ArrayList<>();
        List<Long> settles = new ArrayList<>();
        boolean full = false;
        for (int i = 0; i < WARM_UPS + MEASURED; i++) {
          Cost<Lease> claimed = claim(bench, scene.channel(), groupLimit, tenant);
          Cost<Set<UUID>> settled =
              settle(bench, scene.channel(), claimed.answer(), Outcome.Completed.INSTANCE);
          if (i >= WARM_UPS) {
            claims.add(claimed.pages());
            settles.add(settled.pages());
          }
          full = claimed.answer().messages().size() == BATCH;
        }
        String what = ", " + groupLimit + " per group, tenant '" + tenant + "', " + world;
        pages.put("claim" + what, least(claims));
        if (full) { // what few messages cost is mostly what lies beside them
          pages.put("settle" + what, least(settles));
        }
      }
    }
    List<Long> appends = new ArrayList<>();
    for (int i = 0; i < WARM_UPS + MEASURED; i++) {
      appends.add(
          watch(bench, () -> bench.store.append(scene.channel(), List.of(draft("").build()), null))
              .pages());
    }
    pages.put("append, " + world, least(appends));
  }

  private static Map<String, Long> leases(Workbench bench, int size) throws SQLException {
    bench.clear();
    new Backlog(bench, LINE, "").ready(FEW);
    Map<String, Long> pages = new LinkedHashMap<>();
    claim(bench, LINE, 1, "");
    new Backlog(bench, LINE, "").leases(size);
    for (String world : List.of("not analysed", "analysed")) {
      List<Long> extensions = new ArrayList<>();
      List<Long> looks = new ArrayList<>();
      List<Long> reclaims = new ArrayList<>();
      List<Long> retries = new ArrayList<>();
      List<Long> removals = new ArrayList<>();
      for (int i = 0; i < MEASURED; i++) {
        Lease lease = claim(bench, LINE, 1, "").answer();
        Supplier<Set<UUID>> extend =
            () -> bench.store.extend(LINE, Set.of(lease.token()), Duration.ofHours(1));
        extensions.add(watch(bench, extend).pages());
        looks.add(watch(bench, () -> bench.store.reclaim(LINE, BATCH)).pages());
        bench.run("UPDATE mailroom_lease SET ends_at = 1 WHERE token = '" + lease.token() + "'");
        Cost<Integer> reclaimed = watch(bench, () -> bench.store.reclaim(LINE, BATCH));
        assertThat(reclaimed.answer()).isEqualTo(1);
        reclaims.add(reclaimed.pages());
        Lease failed = claim(bench, LINE, 1, "").answer();
        retries.add(settle(bench, LINE, failed, RETRIED).pages());
        Lease done = claim(bench, LINE, 1, "").answer();
        removals.add(settle(bench, LINE, done, Outcome.Completed.INSTANCE).pages());
      }
      pages.put("retry, " + world, least(retries));
      pages.put("remove, " + world, least(removals));
      pages.put("extend, " + world, least(extensions));
      pages.put("look for expired leases, " + world, least(looks));
      pages.put("reclaim a lease of " + BATCH + ", " + world, least(reclaims));
      bench.analyze();
    }
    return pages;
  }

  private static Cost<Lease> claim(Workbench bench, Channel channel, int perGroup, String tenant)
      throws SQLException {
    LeaseRequest request = request(perGroup, tenant);
    return watch(bench, () -> bench.store.lease(channel, request).lease());
  }

  private static LeaseRequest request(int perGroup, String tenant) {
    String filter = tenant.isEmpty() ? null : tenant;
    return new LeaseRequest("worker", BATCH, perGroup, Duration.ofHours(1), filter, true);
  }

  private static Cost<Set<UUID>> settle(
      Workbench bench, Channel channel, Lease lease, Outcome outcome) throws SQLException {
    List<Settlement> settlements =
        lease.messages().stream()
            .map(each -> new Settlement(each.id(), lease.token(), outcome))
            .toList();
    return watch(bench, () -> bench.store.settle(channel, settlements));
  }

  private static MessageDraft draft(String tenant) {
    MessageDraft draft = message("one more").group("g0");
    return tenant.isEmpty() ? draft : draft.tenant(tenant);
  }

  private static <T> Cost<T> watch(Workbench bench, Supplier<T> verb) throws SQLException {
    Cost<T> cost = bench.watch(verb);
    assertThat(cost.plans()).as("plans").isNotEmpty();
    for (Plan plan : cost.plans()) {
      assertThat(plan.nodes())
          .as(plan.query())
          .noneMatch(node -> node.type().equals("Seq Scan") && node.table().startsWith("mailroom_"))
          .noneMatch(node -> node.rows() > MOST_ROWS);
    }
    return cost;
  }

  /** Once in a second a claim also looks back; the least is what it costs without. */
  private static long least(List<Long> values) {
    return Collections.min(values);
  }
}

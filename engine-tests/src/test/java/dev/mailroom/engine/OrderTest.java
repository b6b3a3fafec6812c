package dev.mailroom.engine;

import static dev.mailroom.engine.EngineFixture.LEASE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mailroom.Delivery;
import dev.mailroom.InboxOptionsBuilder;
import dev.mailroom.Result;
import dev.mailroom.messages.WriteOptions;
import dev.mailroom.options.Backoff;
import dev.mailroom.options.Ordering;
import dev.mailroom.options.RetryPolicy;
import dev.mailroom.test.ManualEngine;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Order within a group, for handlers that get one message at a time. */
class OrderTest {
  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final WriteOptions GROUP_A = WriteOptions.builder().groupKey("a").build();

  private final EngineFixture fixture = EngineFixture.manual();
  private final List<String> handled = new ArrayList<>();
  private final Map<String, Result> next = new HashMap<>();

  /** Succeeds unless the test said otherwise for the message's next time. */
  private Result handle(Delivery<String> delivery) {
    handled.add(delivery.payload());
    Result result = next.remove(delivery.payload());
    return result == null ? Result.success() : result;
  }

  private void ordered(Consumer<InboxOptionsBuilder> more) {
    RetryPolicy retry =
        RetryPolicy.builder().backoff(Backoff.fixed(SECOND).withJitter(0)).attempts(9).build();
    fixture
        .options(options -> more.accept(options.ordering(Ordering.REQUIRED).retry(retry)))
        .handler(this::handle);
  }

  private void ordered() {
    ordered(options -> {});
  }

  private static void oneStep(ManualEngine worker) {
    worker.fetch();
    worker.handle();
    worker.settle();
  }

  @Test
  @DisplayName("within a group strictly by sequence, across nodes")
  void acrossNodes() {
    ordered(options -> options.readBatch(2).concurrency(1));
    ManualEngine first = fixture.worker();
    ManualEngine second = fixture.worker();
    fixture.writeGrouped("a1", "b1", "a2", "a3", "b2", "a4", "b3", "a5");

    for (int i = 0; i < 8; i++) {
      oneStep(first);
      oneStep(second);
    }

    assertThat(handled).hasSize(8);
    assertThat(handled).containsSubsequence("a1", "a2", "a3", "a4", "a5");
    assertThat(handled).containsSubsequence("b1", "b2", "b3");
  }

  @Test
  @DisplayName("while one node holds a group, another gets nothing of it")
  void heldAsAWhole() {
    ordered(options -> options.readBatch(2).concurrency(1));
    ManualEngine first = fixture.worker();
    ManualEngine second = fixture.worker();
    fixture.writeGrouped("a1", "a2", "a3");

    first.fetch();
    assertThat(first.buffered()).isEqualTo(2);
    second.fetch();
    assertThat(second.buffered()).isZero();
    first.handle();
    second.fetch();
    assertThat(second.buffered()).as("handled but not settled").isZero();
    first.settle();
    second.fetch();

    assertThat(second.buffered()).isEqualTo(1);
  }

  @Test
  @DisplayName("strictly by sequence, through retries: the retried head keeps its place")
  void throughRetries() {
    ordered();
    next.put("a2", Result.fail("not yet"));
    fixture.writeGrouped("a1", "a2", "a3");
    ManualEngine first = fixture.worker();
    first.run();
    fixture.writeGrouped("a4");
    assertThat(fixture.worker().run()).isZero();

    fixture.pass(SECOND);
    fixture.worker().run();

    assertThat(handled).containsExactly("a1", "a2", "a2", "a3", "a4");
  }

  @Test
  @DisplayName("strictly by sequence, through deferrals: the deferred head blocks, too")
  void throughDeferrals() {
    ordered();
    next.put("a1", Result.retryLater(SECOND));
    fixture.writeGrouped("a1", "a2");
    fixture.worker().run();
    fixture.pass(SECOND);
    fixture.worker().run();

    assertThat(handled).containsExactly("a1", "a1", "a2");
  }

  @Test
  @DisplayName("strictly by sequence, through crashes; only the head's crash counts")
  void throughCrashes() {
    ordered();
    UUID head = fixture.write("a1", GROUP_A);
    UUID behind = fixture.write("a2", GROUP_A);
    ManualEngine dying = fixture.worker();
    dying.fetch();
    dying.handle(); // and dies before it settles
    ManualEngine other = fixture.worker();
    fixture.pass(LEASE);
    assertThat(other.reclaim()).isEqualTo(1);
    fixture.writeGrouped("a3");

    assertThat(fixture.progress(head).crashes()).isEqualTo(1);
    assertThat(fixture.progress(behind).crashes()).isZero();
    assertThat(other.run()).as("the head waits, and its group with it").isZero();
    fixture.pass(SECOND);
    other.run();

    assertThat(handled).containsExactly("a1", "a2", "a1", "a2", "a3");
  }

  @Test
  @DisplayName("strictly by sequence, when the lease is lost in the middle of a turn")
  void throughLostLeases() {
    List<ManualEngine> workers = new ArrayList<>();
    fixture
        .options(options -> options.ordering(Ordering.REQUIRED))
        .handler(
            delivery -> {
              if (handled.isEmpty()) {
                fixture.pass(LEASE);
                workers.get(1).reclaim();
                workers.get(0).extendLeases();
              }
              return handle(delivery);
            });
    workers.add(fixture.worker());
    workers.add(fixture.worker());
    fixture.writeGrouped("a1", "a2", "a3");

    workers.get(0).run();
    assertThat(handled).as("nothing is started under a lost lease").containsExactly("a1");
    fixture.pass(SECOND);
    workers.get(1).run();

    assertThat(handled).containsExactly("a1", "a1", "a2", "a3");
  }

  @Test
  @DisplayName("strictly by sequence, when a worker that holds the group is stopped")
  void throughShutdown() {
    ordered();
    fixture.writeGrouped("a1", "a2", "a3");
    ManualEngine stopping = fixture.worker();
    stopping.fetch();
    stopping.stop();

    fixture.worker().run();

    assertThat(handled).containsExactly("a1", "a2", "a3");
  }

  @Test
  @DisplayName("The failed head blocks its group; others go on")
  void failedHeadBlocksItsGroup() {
    ordered();
    next.put("a1", Result.fail("not yet"));
    fixture.writeGrouped("a1", "a2", "b1", "c1", "b2");

    fixture.worker().run();

    assertThat(handled).contains("a1", "b1", "b2", "c1").doesNotContain("a2");
    fixture.pass(SECOND);
    fixture.worker().run();
    assertThat(handled).containsSubsequence("a1", "a1", "a2");
  }

  @Test
  @DisplayName("A delayed message joins its group when it is due")
  void delayed() {
    ordered();
    fixture.write("delayed", GROUP_A.toBuilder().delay(SECOND).build());
    fixture.write("a1", GROUP_A);
    fixture.worker().run();
    assertThat(handled).as("not held up by what is not due").containsExactly("a1");
    fixture.write("a2", GROUP_A);
    fixture.pass(SECOND);
    fixture.write("a3", GROUP_A);

    fixture.worker().run();

    assertThat(handled).startsWith("a1", "a2").containsOnlyOnce("delayed").hasSize(4);
    assertThat(handled).containsSubsequence("a2", "delayed");
  }

  @Test
  @DisplayName("a parked head blocks")
  void parkedHead() {
    ordered();
    fixture.inbox().write(new byte[1], GROUP_A);
    fixture.writeGrouped("a1", "b1");

    fixture.worker().run();
    fixture.pass(Duration.ofDays(30));
    fixture.worker().run();

    assertThat(handled).containsExactly("b1");
  }

  @Test
  @DisplayName("collapse removes only what is not leased")
  void collapse() {
    ordered(options -> options.readBatch(1));
    fixture.write("a1", GROUP_A.toBuilder().collapseKey("k").build());
    fixture.write("a2", GROUP_A.toBuilder().collapseKey("k").build());
    assertThat(fixture.counts().ready()).as("a2 replaced a1").isEqualTo(1);
    ManualEngine worker = fixture.worker();
    worker.fetch();

    fixture.write("a3", GROUP_A.toBuilder().collapseKey("k").build());
    fixture.write("a4", GROUP_A.toBuilder().collapseKey("k").build());
    worker.run();

    assertThat(handled).containsExactly("a2", "a4");
  }

  @Test
  @DisplayName("Where ordering is when-keyed, a message without a group key is unordered")
  void whenKeyed() {
    fixture.options(options -> options.ordering(Ordering.WHEN_KEYED)).handler(this::handle);
    next.put("loose", Result.fail("not yet"));
    fixture.write("loose");
    fixture.write("other");
    fixture.writeGrouped("a1");

    fixture.worker().run();

    assertThat(handled).containsExactlyInAnyOrder("loose", "other", "a1");
  }

  @Test
  @DisplayName("Groups are scoped by tenant: equal keys of two tenants do not block each other")
  void tenants() {
    ordered();
    next.put("one", Result.fail("not yet"));
    fixture.write("one", GROUP_A.toBuilder().tenant("first").build());
    fixture.write("two", GROUP_A.toBuilder().tenant("second").build());

    fixture.worker().run();

    assertThat(handled).containsExactlyInAnyOrder("one", "two");
  }

  @Test
  @DisplayName("Two groups never wait for each other, whatever the number of groups")
  void manyGroups() {
    ordered();
    int groups = 1_000;
    for (int i = 0; i < groups; i++) {
      WriteOptions group = WriteOptions.builder().groupKey("g" + i).build();
      fixture.write("head " + i, group);
      fixture.write("tail " + i, group);
      if (i % 2 == 0) {
        next.put("head " + i, Result.fail("not yet"));
      }
    }

    fixture.worker().run();

    assertThat(handled).hasSize(groups + groups / 2);
    assertThat(fixture.alive()).isEqualTo(groups);
  }

  @Test
  @DisplayName("one hot group cannot starve the rest")
  void hotGroup() {
    ordered(options -> options.readBatch(10).concurrency(2));
    IntStream.range(0, 1_000).forEach(i -> fixture.write("hot", GROUP_A));
    IntStream.range(0, 20)
        .forEach(i -> fixture.write("cold", options -> options.groupKey("c" + i)));

    fixture.worker().run();

    assertThat(handled).hasSize(1_020);
    assertThat(handled.lastIndexOf("cold")).as("where the last cold one came").isLessThan(100);
  }

  @Test
  @DisplayName("Unordered channels: group keys hold nothing up")
  void unordered() {
    fixture.handler(this::handle);
    next.put("a1", Result.fail("not yet"));
    fixture.writeGrouped("a1", "a2", "a3");

    fixture.worker().run();

    assertThat(handled).containsExactlyInAnyOrder("a1", "a2", "a3");
  }
}

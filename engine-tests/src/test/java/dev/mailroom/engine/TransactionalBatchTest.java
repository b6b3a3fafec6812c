package dev.mailroom.engine;

import static dev.mailroom.engine.EngineFixture.LEASE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mailroom.Batch;
import dev.mailroom.BatchResult;
import dev.mailroom.Delivery;
import dev.mailroom.Result;
import dev.mailroom.engine.FailingStore.Verb;
import dev.mailroom.inspection.MessageState;
import dev.mailroom.messages.WriteOptions;
import dev.mailroom.options.Backoff;
import dev.mailroom.options.Ordering;
import dev.mailroom.options.RetryPolicy;
import dev.mailroom.spi.Channel;
import dev.mailroom.spi.ChannelPolicy;
import dev.mailroom.spi.Telemetry.Counter;
import dev.mailroom.test.ManualEngine;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** A batch handler's writes and the completion of all its messages: all of it or nothing. */
class TransactionalBatchTest {
  private static final Channel EFFECTS =
      new Channel("effects", Ordering.NONE, ChannelPolicy.defaults());
  private static final Duration SECOND = Duration.ofSeconds(1);

  private final EngineFixture fixture = EngineFixture.manual();
  private final List<String> batches = new ArrayList<>();
  private final Map<String, Result> next = new HashMap<>();

  private void open(Ordering ordering) {
    fixture
        .settings(builder -> builder.inbox(EFFECTS.name(), inbox -> {}))
        .options(
            options ->
                options
                    .ordering(ordering)
                    .retry(
                        RetryPolicy.builder().backoff(Backoff.fixed(SECOND).withJitter(0)).build()))
        .batchHandler(this::handle);
  }

  /** Every message has an effect; each is answered once as the test says, then with success. */
  private BatchResult handle(Batch<String> batch) {
    batches.add(String.join(" ", batch.payloads()));
    WriteOptions together = WriteOptions.builder().in(batch.transaction()).build();
    BatchResult results = batch.results();
    for (Delivery<String> delivery : batch.deliveries()) {
      assertThat(delivery.transaction()).isSameAs(batch.transaction());
      fixture.mailroom().inbox(EFFECTS.name()).write(delivery.payload(), together);
      Result answer = next.remove(delivery.payload());
      results.add(delivery, answer == null ? Result.success() : answer);
    }
    return next.containsKey("all") ? batch.allSucceeded() : results;
  }

  private long effects() {
    return fixture.store().counts(EFFECTS).ready();
  }

  @Test
  @DisplayName("success of all commits all, without the settler")
  void success() {
    open(Ordering.NONE);
    fixture.writeAll("a", "b", "c");
    ManualEngine worker = fixture.worker();
    worker.fetch();
    worker.handle();

    assertThat(batches).containsExactly("a b c");
    assertThat(effects()).isEqualTo(3);
    assertThat(fixture.alive()).isZero();
    assertThat(fixture.failing.calls(Verb.SETTLE)).isZero();
    assertThat(fixture.telemetry.sum(Counter.COMPLETED)).isEqualTo(3);
    assertThat(worker.holdsLeases()).isFalse();
  }

  @Test
  @DisplayName("allSucceeded() is a success of all")
  void allSucceeded() {
    next.put("all", Result.success());
    open(Ordering.NONE);
    fixture.writeAll("a", "b");

    fixture.worker().run();

    assertThat(effects()).isEqualTo(2);
    assertThat(fixture.alive()).isZero();
  }

  @Test
  @DisplayName("mixed answers: all is rolled back, successes are released, others as answered")
  void mixed() {
    next.put("bad", Result.fail("no"));
    next.put("dead", Result.deadLetter("never"));
    open(Ordering.NONE);
    UUID good = fixture.write("good");
    UUID bad = fixture.write("bad");
    UUID dead = fixture.write("dead");
    ManualEngine worker = fixture.worker();
    worker.fetch();
    worker.handle();
    worker.settle();

    assertThat(effects()).isZero();
    assertThat(fixture.state(good)).isEqualTo(MessageState.READY);
    assertThat(fixture.progress(good).attempts()).isZero();
    assertThat(fixture.delay(bad)).isEqualTo(SECOND);
    assertThat(fixture.progress(bad).attempts()).isEqualTo(1);
    assertThat(fixture.state(dead)).isEqualTo(MessageState.DEAD);
    assertThat(fixture.telemetry.sum(Counter.COMPLETED)).isZero();
    assertThat(fixture.telemetry.sum(Counter.RELEASED)).isEqualTo(1);

    worker.run();
    fixture.pass(SECOND);
    worker.run();
    assertThat(effects()).as("each of the living once").isEqualTo(2);
    assertThat(fixture.alive()).isZero();
  }

  @Test
  @DisplayName("lease lost: nothing of the whole batch stays")
  void leaseLost() {
    fixture
        .settings(builder -> builder.inbox(EFFECTS.name(), inbox -> {}))
        .batchHandler(
            batch -> {
              handle(batch);
              if (batches.size() == 1) {
                fixture.pass(LEASE);
                fixture.worker().reclaim();
              }
              return batch.allSucceeded();
            });
    fixture.writeAll("a", "b");

    fixture.worker().run();
    assertThat(effects()).isZero();
    assertThat(fixture.telemetry.sum(Counter.LEASE_LOST)).isEqualTo(2);

    fixture.pass(Duration.ofMinutes(1));
    fixture.worker().run();
    assertThat(effects()).isEqualTo(2);
  }

  @Test
  @DisplayName("ordered: success frees the group at the commit")
  void orderedSuccess() {
    open(Ordering.REQUIRED);
    fixture.writeGrouped("a1", "b1", "a2", "b2");

    fixture.worker().run();

    assertThat(batches).containsExactlyInAnyOrder("a1 a2", "b1 b2");
    assertThat(effects()).isEqualTo(4);
    assertThat(fixture.alive()).isZero();
  }

  @Test
  @DisplayName("ordered: a failure undoes those before it, redelivered before it, in order")
  void orderedMixed() {
    next.put("a2", Result.fail("no"));
    open(Ordering.REQUIRED);
    fixture.writeGrouped("a1", "a2", "a3");

    fixture.worker().run();
    assertThat(batches).containsExactly("a1 a2 a3", "a1");
    assertThat(effects()).isEqualTo(1);

    fixture.pass(SECOND);
    fixture.worker().run();
    assertThat(batches).containsExactly("a1 a2 a3", "a1", "a2 a3");
    assertThat(effects()).isEqualTo(3);
    assertThat(fixture.alive()).isZero();
  }

  @Test
  @DisplayName("ordered: a head that fails holds up its group, and nothing of it stays")
  void orderedHeadFails() {
    next.put("a1", Result.fail("no"));
    open(Ordering.REQUIRED);
    fixture.writeGrouped("a1", "a2");

    fixture.worker().run();
    assertThat(batches).containsExactly("a1 a2");
    assertThat(effects()).isZero();

    fixture.pass(SECOND);
    fixture.worker().run();
    assertThat(batches).containsExactly("a1 a2", "a1 a2");
    assertThat(effects()).isEqualTo(2);
  }
}

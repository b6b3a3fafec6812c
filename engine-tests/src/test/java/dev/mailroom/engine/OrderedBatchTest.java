package dev.mailroom.engine;

import static dev.mailroom.engine.EngineFixture.LEASE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mailroom.Batch;
import dev.mailroom.BatchResult;
import dev.mailroom.InboxOptionsBuilder;
import dev.mailroom.Result;
import dev.mailroom.inspection.MessageState;
import dev.mailroom.messages.WriteOptions;
import dev.mailroom.options.AfterDeadLetter;
import dev.mailroom.options.Backoff;
import dev.mailroom.options.Ordering;
import dev.mailroom.options.RetryPolicy;
import dev.mailroom.spi.Telemetry.Counter;
import dev.mailroom.test.ManualEngine;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Consumer;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Order within a group, for handlers that get batches. */
class OrderedBatchTest {
  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final WriteOptions GROUP_A = WriteOptions.builder().groupKey("a").build();

  private final EngineFixture fixture = EngineFixture.manual();
  private final List<String> batches = new ArrayList<>();
  private final Map<String, Result> next = new HashMap<>();
  private boolean throwing;

  private BatchResult handle(Batch<?> batch) throws IOException {
    List<String> texts =
        batch.deliveries().stream().map(delivery -> text(delivery.payload())).toList();
    batches.add(batch.groupKey() + ":" + String.join(" ", texts));
    if (throwing) {
      throwing = false;
      throw new IOException("no line");
    }
    BatchResult results = batch.results();
    for (int i = 0; i < batch.size(); i++) {
      Result result = next.remove(texts.get(i));
      results.add(batch.deliveries().get(i), result == null ? Result.success() : result);
    }
    return results;
  }

  private static String text(Object payload) {
    return payload instanceof byte[] blob
        ? new String(blob, StandardCharsets.UTF_8)
        : payload.toString();
  }

  private void ordered(Consumer<InboxOptionsBuilder> more) {
    RetryPolicy retry = RetryPolicy.builder().backoff(Backoff.fixed(SECOND).withJitter(0)).build();
    fixture
        .options(options -> more.accept(options.ordering(Ordering.WHEN_KEYED).retry(retry)))
        .inbox(
            inbox ->
                inbox
                    .batchHandler(String.class, this::handle)
                    .batchHandler(byte[].class, this::handle));
  }

  private void ordered() {
    ordered(options -> {});
  }

  private void writeBlobInGroup(String text) {
    fixture.inbox().write(text.getBytes(StandardCharsets.UTF_8), GROUP_A);
  }

  @Test
  @DisplayName("the handler is given the group key; a batch holds one group, in order")
  void oneGroup() {
    ordered();
    fixture.writeGrouped("a1", "b1", "a2", "b2", "a3");
    fixture.write("loose");

    fixture.worker().run();

    assertThat(batches).containsExactlyInAnyOrder("a:a1 a2 a3", "b:b1 b2", "null:loose");
  }

  @Test
  @DisplayName("a batch holds messages of one contract, in order")
  void oneContract() {
    ordered();
    fixture.writeGrouped("a1", "a2");
    writeBlobInGroup("a3");
    fixture.writeGrouped("a4");

    fixture.worker().run();

    assertThat(batches).containsExactly("a:a1 a2", "a:a3", "a:a4");
    assertThat(fixture.alive()).isZero();
  }

  @Test
  @DisplayName("a failure at k settles those before k, and k and everything after k wait")
  void failureAtK() {
    ordered();
    next.put("a2", Result.fail("not yet"));
    UUID before = fixture.write("a1", GROUP_A);
    UUID failed = fixture.write("a2", GROUP_A);
    UUID behind = fixture.write("a3", GROUP_A);
    writeBlobInGroup("a4");
    fixture.writeGrouped("b1");

    fixture.worker().run();

    assertThat(batches).containsExactlyInAnyOrder("a:a1 a2 a3", "b:b1");
    assertThat(fixture.isGone(before)).isTrue();
    assertThat(fixture.delay(failed)).isEqualTo(SECOND);
    assertThat(fixture.progress(failed).attempts()).isEqualTo(1);
    assertThat(fixture.state(behind)).isEqualTo(MessageState.READY);
    assertThat(fixture.progress(behind).attempts()).isZero();
    batches.clear();
    fixture.pass(SECOND);
    fixture.worker().run();
    assertThat(batches).containsExactly("a:a2 a3", "a:a4");
  }

  @Test
  @DisplayName("a deferral at k makes k and everything after k wait, too")
  void deferralAtK() {
    ordered();
    next.put("a1", Result.retryLater(SECOND));
    fixture.writeGrouped("a1", "a2");

    fixture.worker().run();
    assertThat(fixture.worker().run()).isZero();
    fixture.pass(SECOND);
    fixture.worker().run();

    assertThat(batches).containsExactly("a:a1 a2", "a:a1 a2");
  }

  @Test
  @DisplayName("a throw fails the head and gives the rest back; the order stays")
  void thrown() {
    ordered();
    throwing = true;
    UUID head = fixture.write("a1", GROUP_A);
    UUID behind = fixture.write("a2", GROUP_A);

    fixture.worker().run();
    assertThat(fixture.progress(head).attempts()).isEqualTo(1);
    assertThat(fixture.progress(behind).attempts()).isZero();
    fixture.pass(SECOND);
    fixture.worker().run();

    assertThat(batches).containsExactly("a:a1 a2", "a:a1 a2");
    assertThat(fixture.alive()).isZero();
  }

  @Test
  @DisplayName("a death at k lets the rest be settled where the group continues")
  void deathAtK() {
    ordered();
    next.put("a2", Result.deadLetter("never"));
    fixture.writeGrouped("a1", "a2", "a3");

    fixture.worker().run();

    assertThat(batches).containsExactly("a:a1 a2 a3");
    assertThat(fixture.alive()).isZero();
    assertThat(fixture.deadLetters()).hasSize(1);
  }

  @Test
  @DisplayName("what stands behind an undecodable message is not handed over where the group parks")
  void undecodableParks() {
    fixture.settings(builder -> builder.codec(new TextCodec()));
    ordered(options -> options.afterDeadLetter(AfterDeadLetter.PARK));
    fixture.writeGrouped("a1");
    fixture.write(TextCodec.UNREADABLE, GROUP_A);
    fixture.writeGrouped("a3");

    fixture.worker().run();

    assertThat(batches).containsExactly("a:a1");
    assertThat(fixture.deadLetter().error().type()).isEqualTo("undecodable");
    assertThat(fixture.counts().ready()).as("the one behind waits").isEqualTo(1);
  }

  @Test
  @DisplayName(
      "an undecodable message is dead-lettered in order, not before the failure in front of it")
  void undecodableBehindAFailure() {
    fixture.settings(builder -> builder.codec(new TextCodec()));
    ordered();
    next.put("a1", Result.fail("not yet"));
    fixture.writeGrouped("a1");
    fixture.write(TextCodec.UNREADABLE, GROUP_A);
    fixture.writeGrouped("a3");

    fixture.worker().run();
    assertThat(fixture.deadLetters()).isEmpty();
    fixture.pass(SECOND);
    fixture.worker().run();

    assertThat(batches).containsExactly("a:a1", "a:a1", "a:a3");
    assertThat(fixture.deadLetters()).hasSize(1);
    assertThat(fixture.telemetry.sum(Counter.DEAD_LETTERED)).isEqualTo(1);
    assertThat(fixture.telemetry.sum(Counter.COMPLETED))
        .as("what waits is not counted")
        .isEqualTo(2);
    assertThat(fixture.alive()).isZero();
  }

  @Test
  @DisplayName("strictly by sequence, across nodes and through crashes")
  void acrossNodesAndCrashes() {
    ordered(options -> options.readBatch(2).concurrency(1));
    fixture.writeGrouped("a1", "a2", "a3", "a4", "a5");
    ManualEngine dying = fixture.worker();
    dying.fetch();
    ManualEngine other = fixture.worker();
    other.fetch();
    assertThat(other.buffered()).as("the group is held").isZero();
    fixture.pass(LEASE);
    other.reclaim();
    fixture.pass(SECOND);
    ManualEngine third = fixture.worker();
    for (int i = 0; i < 5; i++) {
      for (ManualEngine worker : List.of(other, third)) {
        worker.fetch();
        worker.handle();
        worker.settle();
      }
    }

    assertThat(batches).containsExactly("a:a1", "a:a2 a3", "a:a4 a5");
  }
}

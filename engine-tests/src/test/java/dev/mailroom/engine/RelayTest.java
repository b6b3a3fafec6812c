package dev.mailroom.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mailroom.Batch;
import dev.mailroom.BatchResult;
import dev.mailroom.Delivery;
import dev.mailroom.InboxOptionsBuilder;
import dev.mailroom.Mailroom;
import dev.mailroom.Result;
import dev.mailroom.errors.MailroomException;
import dev.mailroom.errors.UnknownContractException;
import dev.mailroom.inspection.MessageState;
import dev.mailroom.messages.Contract;
import dev.mailroom.messages.Payload;
import dev.mailroom.options.AfterDeadLetter;
import dev.mailroom.options.Backoff;
import dev.mailroom.options.Ordering;
import dev.mailroom.options.RetryPolicy;
import dev.mailroom.spi.HandlerOutcome;
import dev.mailroom.spi.Telemetry.Counter;
import dev.mailroom.test.ManualEngine;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

/** Messages of any contract, passed on as they are stored. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class RelayTest {
  private static final Duration SECOND = Duration.ofSeconds(1);

  private final EngineFixture fixture = EngineFixture.manual();
  private final List<String> calls = new ArrayList<>();
  private final Map<String, Result> answers = new HashMap<>();
  private boolean throwing;

  private static String text(Delivery<Payload> delivery) {
    return new String(delivery.payload().bytes(), StandardCharsets.UTF_8);
  }

  private Result relay(Delivery<Payload> delivery) {
    calls.add(text(delivery));
    return answers.getOrDefault(text(delivery), Result.success());
  }

  private BatchResult relayAll(Batch<Payload> batch) {
    calls.add(String.join(" ", batch.deliveries().stream().map(RelayTest::text).toList()));
    if (throwing) {
      throw new IllegalStateException("no line");
    }
    BatchResult results = batch.results();
    for (Delivery<Payload> delivery : batch.deliveries()) {
      Result answer = answers.getOrDefault(text(delivery), Result.success());
      if (answer != null) {
        results.add(delivery, answer);
      }
    }
    return results;
  }

  private static InboxOptionsBuilder ordered(InboxOptionsBuilder options) {
    RetryPolicy retry = RetryPolicy.builder().backoff(Backoff.fixed(SECOND).withJitter(0)).build();
    return options.ordering(Ordering.WHEN_KEYED).retry(retry);
  }

  private void inBatches() {
    fixture.options(RelayTest::ordered).inbox(inbox -> inbox.batchRelay(this::relayAll));
  }

  @Test
  void a_relay_gets_every_contract_undecoded_even_unknown_ones() {
    List<String> seen = new ArrayList<>();
    fixture.writeOnly();
    fixture.write("text");
    fixture.writeBlob("blob");
    Mailroom relaying =
        Mailroom.builder()
            .store(fixture.store())
            .time(fixture.time)
            .inbox(
                EngineFixture.INBOX,
                inbox ->
                    inbox.relay(
                        delivery -> {
                          seen.add(delivery.payload().contract() + " " + text(delivery));
                          return Result.success();
                        }))
            .build();

    assertThat(relaying.processPending()).isEqualTo(2);

    assertThat(seen).containsExactlyInAnyOrder("note v1 text", "blob v1 blob");
    assertThat(fixture.alive()).isZero();
  }

  @Test
  void one_by_one_a_failure_holds_up_its_group_alone() {
    fixture.options(RelayTest::ordered).inbox(inbox -> inbox.relay(this::relay));
    answers.put("a1", Result.fail("not yet"));
    fixture.writeGrouped("a1", "b1", "a2", "b2");

    fixture.worker().run();
    assertThat(calls).containsExactlyInAnyOrder("a1", "b1", "b2");
    answers.clear();
    fixture.pass(SECOND);
    fixture.worker().run();

    assertThat(calls.subList(3, 5)).containsExactly("a1", "a2");
    assertThat(fixture.alive()).isZero();
  }

  @Test
  void a_batch_mixes_contracts_and_groups_and_keeps_the_order_of_each_group() {
    inBatches();
    fixture.writeGrouped("a1", "b1", "a2");
    fixture.writeBlob("loose");
    fixture.writeGrouped("b2", "a3");

    assertThat(fixture.worker().run()).isEqualTo(6);

    assertThat(calls).hasSize(1);
    assertThat(calls.get(0).split(" "))
        .containsExactlyInAnyOrder("a1", "a2", "a3", "b1", "b2", "loose")
        .containsSubsequence("a1", "a2", "a3")
        .containsSubsequence("b1", "b2");
    assertThat(fixture.telemetry.sum(Counter.COMPLETED)).isEqualTo(6);
  }

  @Test
  void a_failure_in_a_batch_lets_only_those_behind_it_in_its_group_wait() {
    inBatches();
    answers.put("a2", Result.fail("not yet"));
    UUID first = fixture.write("a1", options -> options.groupKey("a"));
    UUID failed = fixture.write("a2", options -> options.groupKey("a"));
    fixture.writeGrouped("b1");
    UUID behind = fixture.write("a3", options -> options.groupKey("a"));
    fixture.writeGrouped("b2");
    fixture.write("loose");

    fixture.worker().run();

    assertThat(fixture.isGone(first)).isTrue();
    assertThat(fixture.delay(failed)).isEqualTo(SECOND);
    assertThat(fixture.progress(failed).attempts()).isEqualTo(1);
    assertThat(fixture.progress(behind).attempts()).as("given back").isZero();
    assertThat(fixture.alive()).isEqualTo(2);
    assertThat(fixture.telemetry.sum(Counter.RELEASED)).isEqualTo(1);
    answers.clear();
    fixture.pass(SECOND);
    fixture.worker().run();
    assertThat(calls.get(1)).isEqualTo("a2 a3");
    assertThat(fixture.alive()).isZero();
  }

  @Test
  void equal_keys_of_two_tenants_are_two_groups() {
    inBatches();
    answers.put("ours", Result.fail("not yet"));
    UUID ours = fixture.write("ours", options -> options.groupKey("a").tenant("we"));
    UUID theirs = fixture.write("theirs", options -> options.groupKey("a").tenant("they"));

    fixture.worker().run();

    assertThat(fixture.isGone(ours)).isFalse();
    assertThat(fixture.isGone(theirs)).isTrue();
  }

  @Test
  void the_dead_do_not_hold_up_their_group_unless_it_is_to_be_parked() {
    inBatches();
    answers.put("a1", Result.deadLetter("never"));
    fixture.writeGrouped("a1", "a2");
    fixture.worker().run();
    assertThat(fixture.alive()).isZero();
    assertThat(fixture.deadLetters()).hasSize(1);
  }

  @Test
  void in_a_parked_group_nothing_goes_past_the_dead() {
    fixture
        .options(options -> ordered(options).afterDeadLetter(AfterDeadLetter.PARK))
        .inbox(inbox -> inbox.batchRelay(this::relayAll));
    answers.put("a1", Result.deadLetter("never"));
    fixture.writeGrouped("a1", "a2", "b1");

    fixture.worker().run();

    assertThat(fixture.alive()).as("a2").isEqualTo(1);
    assertThat(fixture.telemetry.sum(Counter.COMPLETED)).as("b1").isEqualTo(1);
  }

  @Test
  void what_is_left_out_of_the_answer_has_failed() {
    inBatches();
    answers.put("forgotten", null);
    UUID id = fixture.write("forgotten");
    fixture.write("fine");

    fixture.worker().run();

    assertThat(fixture.progress(id).attempts()).isEqualTo(1);
    assertThat(fixture.progress(id).lastError().message()).contains("returned no result");
    assertThat(fixture.alive()).isEqualTo(1);
  }

  @Test
  void a_throw_fails_the_whole_batch_but_of_a_group_only_its_head() {
    inBatches();
    throwing = true;
    UUID head = fixture.write("a1", options -> options.groupKey("a"));
    UUID behind = fixture.write("a2", options -> options.groupKey("a"));
    UUID loose = fixture.write("loose");

    fixture.worker().run();

    for (UUID id : List.of(head, loose)) {
      assertThat(fixture.state(id)).isEqualTo(MessageState.SCHEDULED);
      assertThat(fixture.progress(id).attempts()).isEqualTo(1);
      assertThat(fixture.progress(id).lastError().message()).isEqualTo("no line");
    }
    assertThat(fixture.progress(behind).attempts()).isZero();
  }

  @Test
  void a_handlers_transaction_completes_the_whole_batch_or_nothing_of_it() {
    fixture
        .options(RelayTest::ordered)
        .inbox(
            inbox ->
                inbox.batchRelay(
                    batch -> {
                      fixture.inbox().write("written", options -> options.in(batch.transaction()));
                      return relayAll(batch);
                    }));
    answers.put("a1", Result.fail("not yet"));
    answers.put("written", Result.deadLetter("it must never be seen"));
    fixture.writeGrouped("a1", "b1");

    ManualEngine worker = fixture.worker();
    worker.fetch();
    worker.handle();
    worker.settle();

    assertThat(calls).hasSize(1);
    assertThat(fixture.alive()).isEqualTo(2);
    assertThat(fixture.deadLetters()).isEmpty();
  }

  @Test
  void a_relay_is_the_only_handler() {
    assertThatIllegalArgumentException()
        .isThrownBy(
            () ->
                fixture.inbox(
                    inbox ->
                        inbox
                            .relay(delivery -> Result.success())
                            .handler(String.class, delivery -> Result.success())))
        .withMessageContaining("'notes' has a relay");
    assertThatIllegalArgumentException()
        .isThrownBy(
            () ->
                fixture.inbox(
                    inbox ->
                        inbox
                            .relay(delivery -> Result.success())
                            .batchRelay(batch -> batch.allSucceeded())))
        .withMessageContaining("choose one kind");
  }

  @Test
  void an_error_answered_for_one_message_counts_as_if_it_was_thrown_for_it_alone() {
    fixture
        .options(
            options ->
                ordered(options)
                    .retry(
                        RetryPolicy.builder()
                            .permanent(UnsupportedOperationException.class)
                            .build()))
        .inbox(inbox -> inbox.batchRelay(this::relayAll));
    answers.put("failing", Result.fail(new IllegalStateException("no line")));
    answers.put("hopeless", Result.fail(new UnsupportedOperationException("no such thing")));
    UUID failing = fixture.write("failing");
    fixture.write("hopeless");
    fixture.write("fine");

    fixture.worker().run();

    assertThat(fixture.progress(failing).attempts()).isEqualTo(1);
    assertThat(fixture.progress(failing).lastError().type()).endsWith("IllegalStateException");
    assertThat(fixture.deadLetter().error().message()).isEqualTo("no such thing");
    assertThat(fixture.alive()).isEqualTo(1);
  }

  @Test
  void what_a_relay_parks_waits_longer_and_longer_uncounted_and_dies_in_the_end() {
    fixture
        .options(options -> ordered(options).park(Duration.ofHours(1)))
        .inbox(inbox -> inbox.relay(this::relay));
    answers.put("a1", Result.of(new HandlerOutcome.Parked("no such topic here")));
    UUID id = fixture.write("a1");

    fixture.worker().run();

    assertThat(fixture.progress(id).attempts()).isZero();
    assertThat(fixture.progress(id).parkedSince()).isNotNull();
    assertThat(fixture.progress(id).lastError().message()).isEqualTo("no such topic here");
    assertThat(fixture.delay(id)).isEqualTo(SECOND);
    fixture.pass(Duration.ofMinutes(30));
    fixture.worker().run();
    assertThat(fixture.delay(id)).isEqualTo(Duration.ofMinutes(5));
    fixture.pass(Duration.ofMinutes(30));
    fixture.worker().run();
    assertThat(fixture.deadLetter().error().message()).isEqualTo("no such topic here");
  }

  @Test
  void a_relay_can_have_payloads_decoded_and_upgraded_as_far_as_it_goes() {
    ContextFacade facade = new ContextFacade();
    Mailroom.builder()
        .add(facade)
        .store(fixture.store())
        .codec(new TextCodec())
        .contracts(
            contracts ->
                contracts
                    .register(String.class, "note", 1)
                    .register(Long.class, "note", 2)
                    .upgrade(String.class, Long.class, Long::valueOf))
        .inbox(EngineFixture.INBOX, inbox -> {})
        .build();

    assertThat(facade.context().decode(stored("note", 1, "42"))).isEqualTo(42L);
    assertThatThrownBy(() -> facade.context().decode(stored("note", 1, "x")))
        .isInstanceOf(MailroomException.class)
        .hasMessageContaining("A payload of note v1 cannot be decoded as java.lang.String");
    assertThatThrownBy(() -> facade.context().decode(stored("other", 1, "42")))
        .isInstanceOf(UnknownContractException.class)
        .hasMessageContaining("'other v1'");
  }

  private static Payload stored(String name, int version, String text) {
    return new Payload(
        new Contract(name, version),
        new TextCodec().contentType(),
        text.getBytes(StandardCharsets.UTF_8));
  }
}

package dev.mailroom.outbox;

import static dev.mailroom.outbox.OutboxFixture.SECOND;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mailroom.Result;
import dev.mailroom.deadletters.DeadLetterFilter;
import dev.mailroom.options.AfterDeadLetter;
import dev.mailroom.options.Ordering;
import dev.mailroom.options.RetryPolicy;
import dev.mailroom.spi.HandlerOutcome;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

/** An event is published, retried or dead-lettered like any message. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class DispatchTest {
  private final OutboxFixture.RecordingDispatcher recorder =
      new OutboxFixture.RecordingDispatcher();
  private final RecordingBatchDispatcher batches = new RecordingBatchDispatcher();

  @Test
  void a_published_event_is_gone() {
    OutboxFixture fixture = new OutboxFixture(recorder);
    fixture.outbox.add("a");

    assertThat(fixture.outbox.processPending()).isEqualTo(1);
    assertThat(fixture.outbox.processPending()).isZero();

    assertThat(recorder.calls).containsExactly("a");
    assertThat(fixture.open()).isZero();
  }

  @Test
  void a_failed_one_is_retried_and_dead_when_its_attempts_run_out() {
    OutboxFixture fixture = new OutboxFixture(recorder);
    recorder.answers.put("a", Result.fail("no line"));
    fixture.outbox.add("a");

    for (int attempt = 1; attempt <= 3; attempt++) {
      fixture.outbox.processPending();
      assertThat(recorder.calls).hasSize(attempt);
      fixture.time.advance(SECOND);
    }

    assertThat(fixture.open()).isZero();
    assertThat(fixture.deadLetters()).hasSize(1);
    assertThat(fixture.deadLetters().get(0).error().message()).isEqualTo("no line");
  }

  @Test
  void what_a_dispatcher_throws_is_a_failed_attempt() {
    OutboxFixture fixture = new OutboxFixture(recorder);
    recorder.errors.put("a", new IOException("no line"));
    fixture.outbox.add("a");
    fixture.outbox.processPending();
    recorder.errors.clear();
    fixture.time.advance(SECOND);
    fixture.outbox.processPending();

    assertThat(recorder.calls).containsExactly("a", "a");
    assertThat(fixture.open()).isZero();
  }

  @Test
  void one_that_asks_for_a_later_time_comes_then() {
    OutboxFixture fixture = new OutboxFixture(recorder);
    recorder.answers.put("a", Result.retryLater(Duration.ofMinutes(3)));
    fixture.outbox.add("a");
    fixture.outbox.processPending();
    recorder.answers.clear();

    fixture.time.advance(Duration.ofMinutes(3).minusMillis(1));
    assertThat(fixture.outbox.processPending()).isZero();
    fixture.time.advance(Duration.ofMillis(1));
    assertThat(fixture.outbox.processPending()).isEqualTo(1);
  }

  @Test
  void one_that_can_never_be_published_is_dead_at_once_and_can_be_redriven() {
    OutboxFixture fixture = new OutboxFixture(recorder);
    recorder.answers.put("a", Result.deadLetter("too large"));
    fixture.outbox.add("a", options -> options.topic("orders"));
    fixture.outbox.processPending();
    assertThat(fixture.deadLetters()).hasSize(1);
    recorder.answers.clear();

    fixture.inbox().deadLetters().redrive(DeadLetterFilter.all());
    fixture.outbox.processPending();

    assertThat(recorder.calls).containsExactly("a", "a");
    assertThat(fixture.deadLetters()).isEmpty();
  }

  @Test
  void events_of_one_key_are_dispatched_in_order_and_wait_for_one_that_failed() {
    OutboxFixture fixture = new OutboxFixture(recorder);
    recorder.answers.put("a1", Result.fail("no line"));
    fixture.addKeyed("a1", "b1", "a2", "b2");

    fixture.outbox.processPending();
    assertThat(recorder.calls).containsExactlyInAnyOrder("a1", "b1", "b2");
    recorder.calls.clear();
    recorder.answers.clear();
    fixture.time.advance(SECOND);
    fixture.outbox.processPending();

    assertThat(recorder.calls).containsExactly("a1", "a2");
  }

  @Test
  void a_batched_dispatcher_gets_all_keys_topics_and_contracts_together() {
    OutboxFixture fixture = new OutboxFixture(batches);
    fixture.addKeyed("a1", "b1", "a2");
    fixture.outbox.add(new byte[] {'c'}, EventOptions.builder().topic("elsewhere").build());

    assertThat(fixture.outbox.processPending()).isEqualTo(4);

    assertThat(batches.calls).hasSize(1);
    assertThat(batches.calls.get(0).split(" "))
        .containsExactlyInAnyOrder("a1", "a2", "b1", "c")
        .containsSubsequence("a1", "a2");
    assertThat(fixture.open()).isZero();
  }

  @Test
  void in_a_batch_a_failure_holds_up_its_key_alone() {
    OutboxFixture fixture = new OutboxFixture(batches);
    batches.answers.put("a2", Result.fail("no line"));
    fixture.addKeyed("a1", "a2", "a3", "b1");

    fixture.outbox.processPending();
    assertThat(fixture.open()).isEqualTo(2);
    batches.answers.clear();
    fixture.time.advance(SECOND);
    fixture.outbox.processPending();

    assertThat(batches.calls.get(1)).isEqualTo("a2 a3");
    assertThat(fixture.open()).isZero();
  }

  @Test
  void in_a_batch_each_event_becomes_what_was_answered_for_it() {
    OutboxFixture fixture = new OutboxFixture(batches);
    batches.answers.put("later", Result.retryLater(Duration.ofMinutes(3)));
    batches.answers.put("never", Result.deadLetter("too large"));
    batches.answers.put("forgotten", null);
    for (String text : List.of("fine", "later", "never", "forgotten")) {
      fixture.outbox.add(text);
    }

    fixture.outbox.processPending();

    assertThat(fixture.open()).as("later and forgotten").isEqualTo(2);
    assertThat(fixture.deadLetters()).hasSize(1);
    batches.answers.clear();
    fixture.time.advance(SECOND);
    fixture.outbox.processPending();
    assertThat(batches.calls.get(1)).isEqualTo("forgotten");
  }

  @Test
  void in_a_batch_what_was_left_out_behind_a_death_has_not_failed() {
    OutboxFixture fixture =
        new OutboxFixture(
            batches, options -> options.retry(RetryPolicy.of(retry -> retry.attempts(1))));
    batches.answers.put("a1", Result.fail("no line"));
    batches.answers.put("a2", null);
    batches.answers.put("a3", null);
    fixture.addKeyed("a1", "a2", "a3");

    fixture.outbox.processPending();
    assertThat(fixture.deadLetters()).hasSize(1);
    assertThat(fixture.open()).isEqualTo(2);
    batches.answers.clear();
    fixture.time.advance(HandlerOutcome.SHORTEST_RETRY);
    fixture.outbox.processPending();

    assertThat(batches.calls.get(1)).isEqualTo("a2 a3");
    assertThat(fixture.open()).isZero();
  }

  @Test
  void without_order_an_unanswered_event_behind_a_deferred_one_is_deferred_with_it() {
    OutboxFixture fixture = new OutboxFixture(batches, options -> options.ordering(Ordering.NONE));
    batches.answers.put("a1", Result.retryLater(SECOND));
    batches.answers.put("a2", null);
    fixture.addKeyed("a1", "a2");

    for (int round = 1; round <= 5; round++) {
      assertThat(fixture.outbox.processPending()).isEqualTo(2);
      assertThat(fixture.outbox.processPending()).isZero();
      fixture.time.advance(SECOND);
    }

    assertThat(fixture.deadLetters()).isEmpty();
    assertThat(fixture.open()).isEqualTo(2);
  }

  @Test
  void a_batch_with_too_few_answers_has_failed() {
    OutboxFixture fixture = new OutboxFixture(batches);
    batches.missing = 1;
    fixture.outbox.add("a");
    fixture.outbox.add("b");

    for (int attempt = 1; attempt <= 3; attempt++) {
      fixture.outbox.processPending();
      fixture.time.advance(SECOND);
    }

    assertThat(fixture.deadLetters())
        .hasSize(2)
        .allSatisfy(
            letter ->
                assertThat(letter.error().message())
                    .contains("RecordingBatchDispatcher answered 1 times for 2 events"));
  }

  @Test
  void after_a_death_its_key_goes_on_or_waits_as_the_outbox_says() {
    recorder.answers.put("a1", Result.deadLetter("too large"));
    OutboxFixture going = new OutboxFixture(recorder);
    going.addKeyed("a1", "a2");
    going.outbox.processPending();
    assertThat(recorder.calls).containsExactly("a1", "a2");
    recorder.calls.clear();

    OutboxFixture parking =
        new OutboxFixture(recorder, options -> options.afterDeadLetter(AfterDeadLetter.PARK));
    parking.addKeyed("a1", "a2");
    parking.outbox.processPending();
    assertThat(recorder.calls).containsExactly("a1");
    assertThat(parking.open()).isEqualTo(1);
  }
}

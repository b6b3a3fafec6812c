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
  private final OutboxFixture.Clerk clerk = new OutboxFixture.Clerk();
  private final BatchClerk batches = new BatchClerk();

  @Test
  void a_published_event_is_gone() {
    OutboxFixture office = new OutboxFixture(clerk);
    office.outbox.add("a");

    assertThat(office.outbox.processPending()).isEqualTo(1);
    assertThat(office.outbox.processPending()).isZero();

    assertThat(clerk.calls).containsExactly("a");
    assertThat(office.open()).isZero();
  }

  @Test
  void a_failed_one_comes_again_and_dies_when_its_attempts_run_out() {
    OutboxFixture office = new OutboxFixture(clerk);
    clerk.answers.put("a", Result.fail("no line"));
    office.outbox.add("a");

    for (int attempt = 1; attempt <= 3; attempt++) {
      office.outbox.processPending();
      assertThat(clerk.calls).hasSize(attempt);
      office.time.advance(SECOND);
    }

    assertThat(office.open()).isZero();
    assertThat(office.deadLetters()).hasSize(1);
    assertThat(office.deadLetters().get(0).error().message()).isEqualTo("no line");
  }

  @Test
  void what_a_dispatcher_throws_is_a_failed_attempt() {
    OutboxFixture office = new OutboxFixture(clerk);
    clerk.errors.put("a", new IOException("no line"));
    office.outbox.add("a");
    office.outbox.processPending();
    clerk.errors.clear();
    office.time.advance(SECOND);
    office.outbox.processPending();

    assertThat(clerk.calls).containsExactly("a", "a");
    assertThat(office.open()).isZero();
  }

  @Test
  void one_that_asks_for_a_later_time_comes_then() {
    OutboxFixture office = new OutboxFixture(clerk);
    clerk.answers.put("a", Result.retryLater(Duration.ofMinutes(3)));
    office.outbox.add("a");
    office.outbox.processPending();
    clerk.answers.clear();

    office.time.advance(Duration.ofMinutes(3).minusMillis(1));
    assertThat(office.outbox.processPending()).isZero();
    office.time.advance(Duration.ofMillis(1));
    assertThat(office.outbox.processPending()).isEqualTo(1);
  }

  @Test
  void one_that_can_never_be_published_is_dead_at_once_and_can_be_redriven() {
    OutboxFixture office = new OutboxFixture(clerk);
    clerk.answers.put("a", Result.deadLetter("too large"));
    office.outbox.add("a", options -> options.topic("orders"));
    office.outbox.processPending();
    assertThat(office.deadLetters()).hasSize(1);
    clerk.answers.clear();

    office.inbox().deadLetters().redrive(DeadLetterFilter.all());
    office.outbox.processPending();

    assertThat(clerk.calls).containsExactly("a", "a");
    assertThat(office.deadLetters()).isEmpty();
  }

  @Test
  void events_of_one_key_are_dispatched_in_order_and_wait_for_one_that_failed() {
    OutboxFixture office = new OutboxFixture(clerk);
    clerk.answers.put("a1", Result.fail("no line"));
    office.addKeyed("a1", "b1", "a2", "b2");

    office.outbox.processPending();
    assertThat(clerk.calls).containsExactlyInAnyOrder("a1", "b1", "b2");
    clerk.calls.clear();
    clerk.answers.clear();
    office.time.advance(SECOND);
    office.outbox.processPending();

    assertThat(clerk.calls).containsExactly("a1", "a2");
  }

  @Test
  void a_batched_dispatcher_gets_all_keys_topics_and_contracts_together() {
    OutboxFixture office = new OutboxFixture(batches);
    office.addKeyed("a1", "b1", "a2");
    office.outbox.add(new byte[] {'c'}, EventOptions.builder().topic("elsewhere").build());

    assertThat(office.outbox.processPending()).isEqualTo(4);

    assertThat(batches.calls).hasSize(1);
    assertThat(batches.calls.get(0).split(" "))
        .containsExactlyInAnyOrder("a1", "a2", "b1", "c")
        .containsSubsequence("a1", "a2");
    assertThat(office.open()).isZero();
  }

  @Test
  void in_a_batch_a_failure_holds_up_its_key_alone() {
    OutboxFixture office = new OutboxFixture(batches);
    batches.answers.put("a2", Result.fail("no line"));
    office.addKeyed("a1", "a2", "a3", "b1");

    office.outbox.processPending();
    assertThat(office.open()).isEqualTo(2);
    batches.answers.clear();
    office.time.advance(SECOND);
    office.outbox.processPending();

    assertThat(batches.calls.get(1)).isEqualTo("a2 a3");
    assertThat(office.open()).isZero();
  }

  @Test
  void in_a_batch_each_event_becomes_what_was_answered_for_it() {
    OutboxFixture office = new OutboxFixture(batches);
    batches.answers.put("later", Result.retryLater(Duration.ofMinutes(3)));
    batches.answers.put("never", Result.deadLetter("too large"));
    batches.answers.put("forgotten", null);
    for (String text : List.of("fine", "later", "never", "forgotten")) {
      office.outbox.add(text);
    }

    office.outbox.processPending();

    assertThat(office.open()).as("later and forgotten").isEqualTo(2);
    assertThat(office.deadLetters()).hasSize(1);
    batches.answers.clear();
    office.time.advance(SECOND);
    office.outbox.processPending();
    assertThat(batches.calls.get(1)).isEqualTo("forgotten");
  }

  @Test
  void in_a_batch_what_was_left_out_behind_a_death_has_not_failed() {
    OutboxFixture office =
        new OutboxFixture(
            batches, options -> options.retry(RetryPolicy.of(retry -> retry.attempts(1))));
    batches.answers.put("a1", Result.fail("no line"));
    batches.answers.put("a2", null);
    batches.answers.put("a3", null);
    office.addKeyed("a1", "a2", "a3");

    office.outbox.processPending();
    assertThat(office.deadLetters()).hasSize(1);
    assertThat(office.open()).isEqualTo(2);
    batches.answers.clear();
    office.time.advance(HandlerOutcome.SHORTEST_RETRY);
    office.outbox.processPending();

    assertThat(batches.calls.get(1)).isEqualTo("a2 a3");
    assertThat(office.open()).isZero();
  }

  @Test
  void without_order_what_was_left_out_behind_one_that_was_put_off_is_put_off_with_it() {
    OutboxFixture office = new OutboxFixture(batches, options -> options.ordering(Ordering.NONE));
    batches.answers.put("a1", Result.retryLater(SECOND));
    batches.answers.put("a2", null);
    office.addKeyed("a1", "a2");

    for (int round = 1; round <= 5; round++) {
      assertThat(office.outbox.processPending()).isEqualTo(2);
      assertThat(office.outbox.processPending()).isZero();
      office.time.advance(SECOND);
    }

    assertThat(office.deadLetters()).isEmpty();
    assertThat(office.open()).isEqualTo(2);
  }

  @Test
  void a_batch_with_too_few_answers_has_failed() {
    OutboxFixture office = new OutboxFixture(batches);
    batches.missing = 1;
    office.outbox.add("a");
    office.outbox.add("b");

    for (int attempt = 1; attempt <= 3; attempt++) {
      office.outbox.processPending();
      office.time.advance(SECOND);
    }

    assertThat(office.deadLetters())
        .hasSize(2)
        .allSatisfy(
            letter ->
                assertThat(letter.error().message())
                    .contains("BatchClerk answered 1 times for 2 events"));
  }

  @Test
  void after_a_death_its_key_goes_on_or_waits_as_the_outbox_says() {
    clerk.answers.put("a1", Result.deadLetter("too large"));
    OutboxFixture going = new OutboxFixture(clerk);
    going.addKeyed("a1", "a2");
    going.outbox.processPending();
    assertThat(clerk.calls).containsExactly("a1", "a2");
    clerk.calls.clear();

    OutboxFixture parking =
        new OutboxFixture(clerk, options -> options.afterDeadLetter(AfterDeadLetter.PARK));
    parking.addKeyed("a1", "a2");
    parking.outbox.processPending();
    assertThat(clerk.calls).containsExactly("a1");
    assertThat(parking.open()).isEqualTo(1);
  }
}

package dev.mailroom.webhooks.receiver;

import static dev.mailroom.webhooks.receiver.WebhooksFixture.SECOND;
import static dev.mailroom.webhooks.receiver.WebhooksFixture.THREE_TIMES;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mailroom.Result;
import dev.mailroom.deadletters.DeadLetter;
import dev.mailroom.deadletters.DeadLetterFilter;
import dev.mailroom.inspection.MessageState;
import dev.mailroom.messages.LastError;
import dev.mailroom.spi.HandlerOutcome;
import dev.mailroom.spi.Telemetry.Counter;
import dev.mailroom.spi.Telemetry.Measure;
import dev.mailroom.spi.Telemetry.Tags;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

/** Handlers one after another, each with attempts of its own. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class ChainTest {
  private static final TestRequest REQUEST = TestRequest.to("shop", "order.paid", "e");
  private static final Duration MINUTE = Duration.ofMinutes(1);
  private static final Result NO = Result.fail("no");

  private final RecordingHandlers handlers = new RecordingHandlers();
  private final WebhooksFixture fixture = new WebhooksFixture(handlers::three);

  private void run() {
    fixture.worker().run();
  }

  private void runAgain() {
    fixture.advance(SECOND);
    run();
  }

  private DeadLetter dead() {
    assertThat(fixture.deadLetters()).hasSize(1);
    return fixture.deadLetters().get(0);
  }

  @Test
  void handlers_run_in_the_order_of_their_registration() {
    fixture.send(REQUEST);
    run();

    assertThat(handlers.calls).containsExactly("first e #1", "second e #1", "third e #1");
    assertThat(fixture.messages()).isEmpty();
    assertThat(fixture.deadLetters()).isEmpty();
  }

  @Test
  void the_success_of_the_last_handler_costs_no_write_of_its_own() {
    fixture.send(REQUEST);
    run();

    assertThat(fixture.store.checkpoints).isEqualTo(2);
  }

  @Test
  void a_failed_handler_stops_the_chain_and_the_retry_starts_with_it() {
    handlers.answering("second", NO, NO);
    fixture.send(REQUEST);

    run();
    assertThat(handlers.calls).containsExactly("first e #1", "second e #1");
    runAgain();
    runAgain();

    assertThat(handlers.calls)
        .containsExactly("first e #1", "second e #1", "second e #2", "second e #3", "third e #1");
    assertThat(fixture.deadLetters()).isEmpty();
  }

  @Test
  void a_failed_handler_waits_for_its_own_back_off() {
    handlers.answering("first", NO);
    fixture.send(REQUEST);
    run();

    fixture.advance(SECOND.minusMillis(1));
    run();
    assertThat(handlers.calls).hasSize(1);
    fixture.advance(Duration.ofMillis(1));
    run();
    assertThat(handlers.calls).hasSize(4);
  }

  @Test
  void each_handler_counts_its_own_attempts() {
    handlers.answering("first", NO, NO).answering("second", NO, NO).answering("third", NO, NO);
    fixture.send(REQUEST);
    run();
    for (int i = 0; i < 6; i++) {
      runAgain();
    }

    assertThat(handlers.calls)
        .containsExactly(
            "first e #1",
            "first e #2",
            "first e #3",
            "second e #1",
            "second e #2",
            "second e #3",
            "third e #1",
            "third e #2",
            "third e #3");
    assertThat(fixture.deadLetters()).isEmpty();
  }

  @Test
  void a_handler_that_names_its_retry_delay_sees_its_attempt_number() {
    Result later =
        Result.of(new HandlerOutcome.RetryAfter(LastError.of("busy", "not now"), SECOND));
    handlers.answering("first", later, later, later, later);
    fixture.send(REQUEST);
    run();
    for (int i = 0; i < 4; i++) {
      runAgain();
    }

    assertThat(handlers.calls)
        .startsWith("first e #1", "first e #2", "first e #3", "first e #4", "first e #5")
        .endsWith("third e #1");
  }

  @Test
  void the_dead_letter_names_the_handler_without_attempts_left() {
    handlers.answering("second", NO, NO, Result.fail(new IllegalStateException("no line")));
    fixture.send(REQUEST);
    run();
    runAgain();
    runAgain();

    assertThat(dead().error().type()).isEqualTo(IllegalStateException.class.getName());
    assertThat(dead().error().message())
        .isEqualTo("Handler 'second' failed, attempt 3 of 3: no line");
    assertThat(dead().error().detail()).contains("ChainTest");
    assertThat(handlers.calls).doesNotContain("third e #1");
  }

  @Test
  void a_redriven_event_resumes_with_the_failed_handler_and_resets_its_attempts() {
    handlers.answering("first", NO).answering("second", NO, NO, NO, NO, NO);
    fixture.send(REQUEST);
    run();
    runAgain();
    runAgain();
    runAgain();
    dead();
    handlers.calls.clear();

    fixture.inbox().deadLetters().redrive(DeadLetterFilter.all());
    run();
    runAgain();
    runAgain();

    assertThat(handlers.calls)
        .containsExactly("second e #1", "second e #2", "second e #3", "third e #1");
    assertThat(fixture.messages()).isEmpty();
    assertThat(fixture.deadLetters()).isEmpty();
  }

  @Test
  void an_event_redriven_after_its_only_attempt_gets_another_one() {
    fixture.open(
        webhooks ->
            webhooks
                .source(WebhooksFixture.source("shop"))
                .handler("once", options -> options.attempts(1), handlers.handler("once")));
    handlers.answering("once", NO, NO);
    fixture.send(REQUEST);
    run();
    assertThat(dead().error().message()).contains("attempt 1 of 1");

    for (int i = 0; i < 2; i++) {
      fixture.inbox().deadLetters().redrive(DeadLetterFilter.all());
      run();
    }

    assertThat(handlers.calls).containsExactly("once e #1", "once e #1", "once e #1");
    assertThat(fixture.deadLetters()).isEmpty();
  }

  @Test
  void a_permanent_error_dead_letters_the_event() {
    fixture.open(
        webhooks ->
            webhooks
                .source(WebhooksFixture.source("shop"))
                .handler(
                    "picky",
                    options ->
                        options.retry(retry -> retry.permanent(IllegalArgumentException.class)),
                    event -> {
                      throw new IllegalArgumentException("never");
                    }));
    fixture.send(REQUEST);
    run();

    assertThat(dead().error().message())
        .isEqualTo("Handler 'picky' failed with a permanent error: never");
  }

  @Test
  void a_dead_letter_result_dead_letters_the_event() {
    handlers.answering("first", Result.deadLetter("sold out"));
    fixture.send(REQUEST);
    run();

    assertThat(dead().error().message()).isEqualTo("Handler 'first' dead-lettered it: sold out");
    assertThat(handlers.calls).containsExactly("first e #1");
  }

  @Test
  void a_deferred_handler_is_called_at_that_time_without_a_failure() {
    handlers.answering("second", Result.retryLater(MINUTE), Result.retryLater(MINUTE));
    fixture.send(REQUEST);
    run();
    fixture.advance(MINUTE);
    run();
    fixture.advance(MINUTE);
    run();

    assertThat(handlers.calls)
        .containsExactly("first e #1", "second e #1", "second e #1", "second e #1", "third e #1");
    assertThat(fixture.deadLetters()).isEmpty();
  }

  @Test
  void too_many_deferrals_dead_letter_the_event() {
    fixture.open(
        webhooks ->
            webhooks
                .source(WebhooksFixture.source("shop"))
                .handler(
                    "lazy",
                    options -> options.retry(THREE_TIMES.with(retry -> retry.deferrals(1))),
                    event -> Result.retryLater(SECOND)));
    fixture.send(REQUEST);
    run();
    runAgain();

    assertThat(dead().error().type()).isEqualTo("deferred-too-often");
    assertThat(dead().error().message()).contains("Handler 'lazy'");
  }

  @Test
  void a_handler_can_allow_more_deferrals_than_the_default_of_an_inbox() {
    fixture.open(
        webhooks ->
            webhooks
                .source(WebhooksFixture.source("shop"))
                .handler(
                    "lazy",
                    options -> options.retry(THREE_TIMES.with(retry -> retry.deferrals(1_000))),
                    event -> Result.retryLater(SECOND)));
    fixture.send(REQUEST);
    run();
    for (int i = 0; i < 150; i++) {
      runAgain();
    }

    assertThat(fixture.message().progress().deferrals()).isEqualTo(151);
  }

  @Test
  void the_error_names_a_handler_that_parks_or_returns_null() {
    handlers.answering("first", Result.of(new HandlerOutcome.Parked("not yet known")));
    fixture.send(REQUEST);
    run();
    assertThat(fixture.message().progress().lastError().message())
        .isEqualTo("Handler 'first': not yet known");

    fixture.open(
        webhooks ->
            webhooks
                .source(WebhooksFixture.source("shop"))
                .handler("mute", options -> options.attempts(1), event -> null));
    fixture.advance(MINUTE);
    run();
    assertThat(dead().error().message()).contains("'mute'", "returned null");
  }

  @Test
  void an_event_that_no_handler_matches_is_dead_lettered_until_a_handler_is_added() {
    fixture.open(
        webhooks ->
            webhooks
                .source(WebhooksFixture.source("shop"))
                .options(options -> options.deadLetters(false))
                .handler("first", options -> options.type("refund"), handlers.handler("first")));
    fixture.send(REQUEST);
    run();
    assertThat(dead().error().type()).isEqualTo("unhandled");
    assertThat(dead().error().message()).contains("'order.paid'", "'shop'");
    assertThat(handlers.calls).isEmpty();

    fixture.open(handlers::three);
    fixture.inbox().deadLetters().redrive(DeadLetterFilter.all());
    run();

    assertThat(handlers.calls).containsExactly("first e #1", "second e #1", "third e #1");
  }

  @Test
  void an_event_that_no_handler_matches_can_be_completed() {
    fixture.open(
        webhooks ->
            webhooks
                .source(WebhooksFixture.source("shop"))
                .completeUnhandled()
                .handler("first", options -> options.type("refund"), handlers.handler("first")));
    fixture.send(REQUEST);
    run();

    assertThat(fixture.messages()).isEmpty();
    assertThat(fixture.deadLetters()).isEmpty();
  }

  @Test
  void events_of_one_entity_are_handled_in_order_and_others_go_on() {
    handlers.answering("first", NO);
    fixture.send(TestRequest.to("shop", "a", "1").with("x-entity", "x"));
    fixture.send(TestRequest.to("shop", "a", "2").with("x-entity", "x"));
    fixture.send(TestRequest.to("shop", "a", "3").with("x-entity", "y"));
    fixture.send(TestRequest.to("shop", "a", "4"));
    run();
    assertThat(handlers.calls).contains("first 1 #1", "third 3 #1", "third 4 #1");
    assertThat(handlers.calls).doesNotContain("first 2 #1");
    runAgain();

    assertThat(handlers.calls)
        .containsSubsequence("first 1 #1", "first 1 #2", "third 1 #1", "first 2 #1", "third 2 #1");
  }

  @Test
  void a_handler_added_meanwhile_runs_and_completed_handlers_do_not() {
    handlers.answering("third", NO);
    fixture.send(REQUEST);
    run();
    fixture.open(
        webhooks -> handlers.three(webhooks).handler("fourth", handlers.handler("fourth")));
    runAgain();

    assertThat(handlers.calls)
        .containsExactly("first e #1", "second e #1", "third e #1", "third e #2", "fourth e #1");
  }

  @Test
  void handler_calls_are_counted_and_measured_by_handler_name() {
    handlers.answering("second", NO);
    fixture.send(REQUEST);
    run();
    runAgain();

    Tags first = new Tags("webhooks", null, "first", "shop", null);
    Tags second = new Tags("webhooks", null, "second", "shop", null);
    Tags third = new Tags("webhooks", null, "third", "shop", null);
    assertThat(fixture.telemetry.of(Counter.STEP_ATTEMPTED))
        .isEqualTo(Map.of(first, 1L, second, 2L, third, 1L));
    assertThat(fixture.telemetry.of(Counter.STEP_SUCCEEDED))
        .isEqualTo(Map.of(first, 1L, second, 1L, third, 1L));
    assertThat(fixture.telemetry.of(Counter.STEP_FAILED)).isEqualTo(Map.of(second, 1L));
    assertThat(fixture.telemetry.of(Measure.STEP_DURATION)).containsOnlyKeys(first, second, third);
  }

  @Test
  void the_checkpoint_of_each_handler_can_be_inspected() {
    handlers.answering("second", NO);
    fixture.send(REQUEST);
    run();

    assertThat(fixture.message().checkpoints())
        .isEqualTo(Map.of("first", "succeeded:0@1", "second", "failed:1@1"));
    assertThat(fixture.inbox().inspect().find(fixture.message().id()).orElseThrow().state())
        .isEqualTo(MessageState.SCHEDULED);
  }
}

package dev.mailroom.webhooks.receiver;

import static dev.mailroom.webhooks.receiver.Post.SECOND;
import static dev.mailroom.webhooks.receiver.Post.THREE_TIMES;
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
  private static final Letter LETTER = Letter.to("shop", "order.paid", "e");
  private static final Duration MINUTE = Duration.ofMinutes(1);
  private static final Result NO = Result.fail("no");

  private final Cast cast = new Cast();
  private final Post post = new Post(cast::three);

  private void run() {
    post.worker().run();
  }

  private void runAgain() {
    post.pass(SECOND);
    run();
  }

  private DeadLetter dead() {
    assertThat(post.deadLetters()).hasSize(1);
    return post.deadLetters().get(0);
  }

  @Test
  void all_run_in_the_order_in_which_they_were_registered() {
    post.send(LETTER);
    run();

    assertThat(cast.calls).containsExactly("first e #1", "second e #1", "third e #1");
    assertThat(post.messages()).isEmpty();
    assertThat(post.deadLetters()).isEmpty();
  }

  @Test
  void the_success_of_the_last_handler_costs_no_write_of_its_own() {
    post.send(LETTER);
    run();

    assertThat(post.store.checkpoints).isEqualTo(2);
  }

  @Test
  void one_that_fails_stops_the_chain_and_only_it_and_those_behind_it_run_again() {
    cast.answering("second", NO, NO);
    post.send(LETTER);

    run();
    assertThat(cast.calls).containsExactly("first e #1", "second e #1");
    runAgain();
    runAgain();

    assertThat(cast.calls)
        .containsExactly("first e #1", "second e #1", "second e #2", "second e #3", "third e #1");
    assertThat(post.deadLetters()).isEmpty();
  }

  @Test
  void it_waits_as_long_as_its_own_policy_says() {
    cast.answering("first", NO);
    post.send(LETTER);
    run();

    post.pass(SECOND.minusMillis(1));
    run();
    assertThat(cast.calls).hasSize(1);
    post.pass(Duration.ofMillis(1));
    run();
    assertThat(cast.calls).hasSize(4);
  }

  @Test
  void each_has_attempts_of_its_own() {
    cast.answering("first", NO, NO).answering("second", NO, NO).answering("third", NO, NO);
    post.send(LETTER);
    run();
    for (int i = 0; i < 6; i++) {
      runAgain();
    }

    assertThat(cast.calls)
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
    assertThat(post.deadLetters()).isEmpty();
  }

  @Test
  void one_that_says_when_to_try_again_can_tell_how_often_it_has_been() {
    Result later =
        Result.of(new HandlerOutcome.RetryAfter(LastError.of("busy", "not now"), SECOND));
    cast.answering("first", later, later, later, later);
    post.send(LETTER);
    run();
    for (int i = 0; i < 4; i++) {
      runAgain();
    }

    assertThat(cast.calls)
        .startsWith("first e #1", "first e #2", "first e #3", "first e #4", "first e #5")
        .endsWith("third e #1");
  }

  @Test
  void one_whose_attempts_have_run_out_is_named_by_the_dead_letter() {
    cast.answering("second", NO, NO, Result.fail(new IllegalStateException("no line")));
    post.send(LETTER);
    run();
    runAgain();
    runAgain();

    assertThat(dead().error().type()).isEqualTo(IllegalStateException.class.getName());
    assertThat(dead().error().message())
        .isEqualTo("Handler 'second' failed, attempt 3 of 3: no line");
    assertThat(dead().error().detail()).contains("ChainTest");
    assertThat(cast.calls).doesNotContain("third e #1");
  }

  @Test
  void a_redriven_event_goes_on_with_the_one_that_failed_and_counts_anew() {
    cast.answering("first", NO).answering("second", NO, NO, NO, NO, NO);
    post.send(LETTER);
    run();
    runAgain();
    runAgain();
    runAgain();
    dead();
    cast.calls.clear();

    post.inbox().deadLetters().redrive(DeadLetterFilter.all());
    run();
    runAgain();
    runAgain();

    assertThat(cast.calls)
        .containsExactly("second e #1", "second e #2", "second e #3", "third e #1");
    assertThat(post.messages()).isEmpty();
    assertThat(post.deadLetters()).isEmpty();
  }

  @Test
  void an_event_redriven_after_its_only_attempt_has_another_one() {
    post.open(
        webhooks ->
            webhooks
                .source(Post.source("shop"))
                .handler("once", options -> options.attempts(1), cast.handler("once")));
    cast.answering("once", NO, NO);
    post.send(LETTER);
    run();
    assertThat(dead().error().message()).contains("attempt 1 of 1");

    for (int i = 0; i < 2; i++) {
      post.inbox().deadLetters().redrive(DeadLetterFilter.all());
      run();
    }

    assertThat(cast.calls).containsExactly("once e #1", "once e #1", "once e #1");
    assertThat(post.deadLetters()).isEmpty();
  }

  @Test
  void an_error_that_is_permanent_for_it_ends_the_event() {
    post.open(
        webhooks ->
            webhooks
                .source(Post.source("shop"))
                .handler(
                    "picky",
                    options ->
                        options.retry(retry -> retry.permanent(IllegalArgumentException.class)),
                    event -> {
                      throw new IllegalArgumentException("never");
                    }));
    post.send(LETTER);
    run();

    assertThat(dead().error().message())
        .isEqualTo("Handler 'picky' failed with a permanent error: never");
  }

  @Test
  void one_that_gives_up_ends_the_event() {
    cast.answering("first", Result.deadLetter("sold out"));
    post.send(LETTER);
    run();

    assertThat(dead().error().message()).isEqualTo("Handler 'first' dead-lettered it: sold out");
    assertThat(cast.calls).containsExactly("first e #1");
  }

  @Test
  void one_that_asks_for_a_later_time_is_called_then_and_has_not_failed() {
    cast.answering("second", Result.retryLater(MINUTE), Result.retryLater(MINUTE));
    post.send(LETTER);
    run();
    post.pass(MINUTE);
    run();
    post.pass(MINUTE);
    run();

    assertThat(cast.calls)
        .containsExactly("first e #1", "second e #1", "second e #1", "second e #1", "third e #1");
    assertThat(post.deadLetters()).isEmpty();
  }

  @Test
  void one_that_asks_for_a_later_time_too_often_ends_the_event() {
    post.open(
        webhooks ->
            webhooks
                .source(Post.source("shop"))
                .handler(
                    "lazy",
                    options -> options.retry(THREE_TIMES.with(retry -> retry.deferrals(1))),
                    event -> Result.retryLater(SECOND)));
    post.send(LETTER);
    run();
    runAgain();

    assertThat(dead().error().type()).isEqualTo("deferred-too-often");
    assertThat(dead().error().message()).contains("Handler 'lazy'");
  }

  @Test
  void one_may_ask_for_a_later_time_more_often_than_an_inbox_would_allow() {
    post.open(
        webhooks ->
            webhooks
                .source(Post.source("shop"))
                .handler(
                    "lazy",
                    options -> options.retry(THREE_TIMES.with(retry -> retry.deferrals(1_000))),
                    event -> Result.retryLater(SECOND)));
    post.send(LETTER);
    run();
    for (int i = 0; i < 150; i++) {
      runAgain();
    }

    assertThat(post.message().progress().deferrals()).isEqualTo(151);
  }

  @Test
  void one_that_parks_or_answers_nothing_is_named() {
    cast.answering("first", Result.of(new HandlerOutcome.Parked("not yet known")));
    post.send(LETTER);
    run();
    assertThat(post.message().progress().lastError().message())
        .isEqualTo("Handler 'first': not yet known");

    post.open(
        webhooks ->
            webhooks
                .source(Post.source("shop"))
                .handler("mute", options -> options.attempts(1), event -> null));
    post.pass(MINUTE);
    run();
    assertThat(dead().error().message()).contains("'mute'", "returned null");
  }

  @Test
  void an_event_that_nobody_is_for_is_kept_until_somebody_is() {
    post.open(
        webhooks ->
            webhooks
                .source(Post.source("shop"))
                .options(options -> options.deadLetters(false))
                .handler("first", options -> options.type("refund"), cast.handler("first")));
    post.send(LETTER);
    run();
    assertThat(dead().error().type()).isEqualTo("unhandled");
    assertThat(dead().error().message()).contains("'order.paid'", "'shop'");
    assertThat(cast.calls).isEmpty();

    post.open(cast::three);
    post.inbox().deadLetters().redrive(DeadLetterFilter.all());
    run();

    assertThat(cast.calls).containsExactly("first e #1", "second e #1", "third e #1");
  }

  @Test
  void an_event_that_nobody_is_for_can_be_let_go() {
    post.open(
        webhooks ->
            webhooks
                .source(Post.source("shop"))
                .completeUnhandled()
                .handler("first", options -> options.type("refund"), cast.handler("first")));
    post.send(LETTER);
    run();

    assertThat(post.messages()).isEmpty();
    assertThat(post.deadLetters()).isEmpty();
  }

  @Test
  void events_of_one_entity_are_handled_in_order_and_others_go_on() {
    cast.answering("first", NO);
    post.send(Letter.to("shop", "a", "1").with("x-entity", "x"));
    post.send(Letter.to("shop", "a", "2").with("x-entity", "x"));
    post.send(Letter.to("shop", "a", "3").with("x-entity", "y"));
    post.send(Letter.to("shop", "a", "4"));
    run();
    assertThat(cast.calls).contains("first 1 #1", "third 3 #1", "third 4 #1");
    assertThat(cast.calls).doesNotContain("first 2 #1");
    runAgain();

    assertThat(cast.calls)
        .containsSubsequence("first 1 #1", "first 1 #2", "third 1 #1", "first 2 #1", "third 2 #1");
  }

  @Test
  void a_handler_that_was_added_meanwhile_runs_and_those_done_do_not() {
    cast.answering("third", NO);
    post.send(LETTER);
    run();
    post.open(webhooks -> cast.three(webhooks).handler("fourth", cast.handler("fourth")));
    runAgain();

    assertThat(cast.calls)
        .containsExactly("first e #1", "second e #1", "third e #1", "third e #2", "fourth e #1");
  }

  @Test
  void what_handlers_do_is_counted_and_measured_by_their_names() {
    cast.answering("second", NO);
    post.send(LETTER);
    run();
    runAgain();

    Tags first = new Tags("webhooks", null, "first", "shop", null);
    Tags second = new Tags("webhooks", null, "second", "shop", null);
    Tags third = new Tags("webhooks", null, "third", "shop", null);
    assertThat(post.told.of(Counter.STEP_ATTEMPTED))
        .isEqualTo(Map.of(first, 1L, second, 2L, third, 1L));
    assertThat(post.told.of(Counter.STEP_SUCCEEDED))
        .isEqualTo(Map.of(first, 1L, second, 1L, third, 1L));
    assertThat(post.told.of(Counter.STEP_FAILED)).isEqualTo(Map.of(second, 1L));
    assertThat(post.told.of(Measure.STEP_DURATION)).containsOnlyKeys(first, second, third);
  }

  @Test
  void what_has_become_of_each_handler_can_be_looked_up() {
    cast.answering("second", NO);
    post.send(LETTER);
    run();

    assertThat(post.message().checkpoints())
        .isEqualTo(Map.of("first", "succeeded:0@1", "second", "failed:1@1"));
    assertThat(post.inbox().inspect().find(post.message().id()).orElseThrow().state())
        .isEqualTo(MessageState.SCHEDULED);
  }
}

package dev.mailroom.webhooks.receiver;

import static dev.mailroom.webhooks.receiver.Post.SECOND;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mailroom.Result;
import dev.mailroom.spi.HandlerOutcome;
import java.time.Duration;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

/** Handlers that say when they want to be called again. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class LaterAttemptsTest {
  private static final Letter LETTER = Letter.to("shop", "order.paid", "e");
  private static final Duration MINUTE = Duration.ofMinutes(1);

  private final Cast cast = new Cast();
  private final Post post = new Post(cast::three);

  private void runAfter(Duration time) {
    post.pass(time);
    post.worker().run();
  }

  @Test
  void a_failure_that_names_a_time_counts_as_an_attempt_and_comes_no_sooner() {
    Result busy = Result.of(new HandlerOutcome.Failed("answered 503", MINUTE));
    cast.answering("first", busy, busy, busy);
    post.send(LETTER);
    post.worker().run();

    runAfter(MINUTE.minusMillis(1));
    assertThat(cast.calls).containsExactly("first e #1");
    runAfter(Duration.ofMillis(1));
    runAfter(MINUTE);

    assertThat(cast.calls).containsExactly("first e #1", "first e #2", "first e #3");
    assertThat(post.deadLetters())
        .singleElement()
        .satisfies(
            letter ->
                assertThat(letter.error().message())
                    .isEqualTo("Handler 'first' failed, attempt 3 of 3: answered 503"));
  }

  @Test
  void a_failure_that_names_a_time_shorter_than_the_back_off_waits_for_the_back_off() {
    cast.answering(
        "first", Result.of(new HandlerOutcome.Failed("answered 503", Duration.ofMillis(1))));
    post.send(LETTER);
    post.worker().run();

    runAfter(SECOND.minusMillis(1));
    assertThat(cast.calls).hasSize(1);
    runAfter(Duration.ofMillis(1));
    assertThat(cast.calls).hasSize(4);
  }

  @Test
  void the_reason_of_a_deferral_is_the_last_error() {
    cast.answering("first", Result.retryLater(MINUTE, "The target is paused."));
    post.send(LETTER);
    post.worker().run();

    assertThat(post.message().progress().lastError().message()).isEqualTo("The target is paused.");
    assertThat(post.message().progress().attempts()).isZero();
  }
}

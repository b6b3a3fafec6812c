package dev.mailroom.webhooks.receiver;

import static dev.mailroom.webhooks.receiver.WebhooksFixture.SECOND;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mailroom.Result;
import dev.mailroom.spi.HandlerOutcome;
import java.time.Duration;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

/** Handlers that say when they want to be called again. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class RetryDelayTest {
  private static final TestRequest REQUEST = TestRequest.to("shop", "order.paid", "e");
  private static final Duration MINUTE = Duration.ofMinutes(1);

  private final RecordingHandlers handlers = new RecordingHandlers();
  private final WebhooksFixture fixture = new WebhooksFixture(handlers::three);

  private void runAfter(Duration time) {
    fixture.advance(time);
    fixture.worker().run();
  }

  @Test
  void a_failure_that_names_a_time_counts_as_an_attempt_and_comes_no_sooner() {
    Result busy = Result.of(new HandlerOutcome.Failed("answered 503", MINUTE));
    handlers.answering("first", busy, busy, busy);
    fixture.send(REQUEST);
    fixture.worker().run();

    runAfter(MINUTE.minusMillis(1));
    assertThat(handlers.calls).containsExactly("first e #1");
    runAfter(Duration.ofMillis(1));
    runAfter(MINUTE);

    assertThat(handlers.calls).containsExactly("first e #1", "first e #2", "first e #3");
    assertThat(fixture.deadLetters())
        .singleElement()
        .satisfies(
            request ->
                assertThat(request.error().message())
                    .isEqualTo("Handler 'first' failed, attempt 3 of 3: answered 503"));
  }

  @Test
  void a_failure_that_names_a_time_shorter_than_the_back_off_waits_for_the_back_off() {
    handlers.answering(
        "first", Result.of(new HandlerOutcome.Failed("answered 503", Duration.ofMillis(1))));
    fixture.send(REQUEST);
    fixture.worker().run();

    runAfter(SECOND.minusMillis(1));
    assertThat(handlers.calls).hasSize(1);
    runAfter(Duration.ofMillis(1));
    assertThat(handlers.calls).hasSize(4);
  }

  @Test
  void the_reason_of_a_deferral_is_the_last_error() {
    handlers.answering("first", Result.retryLater(MINUTE, "The target is paused."));
    fixture.send(REQUEST);
    fixture.worker().run();

    assertThat(fixture.message().progress().lastError().message())
        .isEqualTo("The target is paused.");
    assertThat(fixture.message().progress().attempts()).isZero();
  }
}

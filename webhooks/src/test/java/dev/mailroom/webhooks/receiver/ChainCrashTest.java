package dev.mailroom.webhooks.receiver;

import static dev.mailroom.webhooks.receiver.WebhooksFixture.SECOND;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mailroom.Result;
import dev.mailroom.test.ManualEngine;
import java.time.Duration;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

/** A chain whose process dies, or whose store fails, between two handlers. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class ChainCrashTest {
  private static final TestRequest REQUEST = TestRequest.to("shop", "order.paid", "e");
  private static final Duration MINUTE = Duration.ofMinutes(1);
  private static final Result NO = Result.fail("no");

  private final RecordingHandlers handlers = new RecordingHandlers();
  private final WebhooksFixture fixture = new WebhooksFixture(handlers::three);

  private void runAgain() {
    fixture.advance(SECOND);
    fixture.worker().run();
  }

  @Test
  void after_a_crash_the_chain_resumes_with_the_next_handler() {
    handlers.answering("third", NO);
    fixture.send(REQUEST);

    crashAfterHandling();
    fixture.worker().run();

    assertThat(handlers.calls)
        .containsExactly("first e #1", "second e #1", "third e #1", "third e #1");
    assertThat(fixture.messages()).isEmpty();
  }

  @Test
  void a_failure_whose_process_died_is_a_crash_and_not_an_attempt() {
    handlers.answering("second", NO, NO, NO, NO);
    fixture.send(REQUEST);
    fixture.worker().run();
    fixture.advance(SECOND);

    crashAfterHandling();
    fixture.worker().run();
    runAgain();

    assertThat(handlers.calls)
        .containsExactly("first e #1", "second e #1", "second e #2", "second e #2", "second e #3");
    assertThat(fixture.deadLetters().get(0).error().message()).contains("attempt 3 of 3");
  }

  /** A worker handles what is due and dies before it can store the outcome; its lease expires. */
  private void crashAfterHandling() {
    ManualEngine dying = fixture.worker();
    dying.fetch();
    assertThat(dying.handle()).isTrue();
    fixture.advance(MINUTE.multipliedBy(2));
    fixture.worker().reclaim();
    fixture.advance(MINUTE.multipliedBy(10));
  }

  @Test
  void a_handler_whose_checkpoint_is_not_stored_runs_again() {
    fixture.send(REQUEST);
    fixture.store.refusedCheckpoints = 1;

    fixture.worker().run();
    assertThat(fixture.message().progress().lastError().message())
        .contains("Handler 'first' succeeded, but its checkpoint could not be stored");
    runAgain();

    assertThat(handlers.calls)
        .containsExactly("first e #1", "first e #1", "second e #1", "third e #1");
  }
}

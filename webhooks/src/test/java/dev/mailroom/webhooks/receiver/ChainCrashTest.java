package dev.mailroom.webhooks.receiver;

import static dev.mailroom.webhooks.receiver.Post.SECOND;
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
  private static final Letter LETTER = Letter.to("shop", "order.paid", "e");
  private static final Duration MINUTE = Duration.ofMinutes(1);
  private static final Result NO = Result.fail("no");

  private final Cast cast = new Cast();
  private final Post post = new Post(cast::three);

  private void runAgain() {
    post.pass(SECOND);
    post.worker().run();
  }

  @Test
  void after_a_crash_the_chain_goes_on_where_it_was() {
    cast.answering("third", NO);
    post.send(LETTER);

    crashAfterHandling();
    post.worker().run();

    assertThat(cast.calls).containsExactly("first e #1", "second e #1", "third e #1", "third e #1");
    assertThat(post.messages()).isEmpty();
  }

  @Test
  void a_failure_whose_process_died_is_a_crash_and_not_an_attempt() {
    cast.answering("second", NO, NO, NO, NO);
    post.send(LETTER);
    post.worker().run();
    post.pass(SECOND);

    crashAfterHandling();
    post.worker().run();
    runAgain();

    assertThat(cast.calls)
        .containsExactly("first e #1", "second e #1", "second e #2", "second e #2", "second e #3");
    assertThat(post.deadLetters().get(0).error().message()).contains("attempt 3 of 3");
  }

  /** A worker handles what is due and dies before it can store the outcome; its lease expires. */
  private void crashAfterHandling() {
    ManualEngine dying = post.worker();
    dying.fetch();
    assertThat(dying.handle()).isTrue();
    post.pass(MINUTE.multipliedBy(2));
    post.worker().reclaim();
    post.pass(MINUTE.multipliedBy(10));
  }

  @Test
  void a_success_that_cannot_be_stored_is_had_again() {
    post.send(LETTER);
    post.store.refusedCheckpoints = 1;

    post.worker().run();
    assertThat(post.message().progress().lastError().message())
        .contains("Handler 'first' succeeded, which could not be recorded");
    runAgain();

    assertThat(cast.calls).containsExactly("first e #1", "first e #1", "second e #1", "third e #1");
  }
}

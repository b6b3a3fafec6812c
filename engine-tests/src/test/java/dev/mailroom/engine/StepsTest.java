package dev.mailroom.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.mailroom.Delivery;
import dev.mailroom.Result;
import dev.mailroom.deadletters.DeadLetterFilter;
import dev.mailroom.engine.FailingStore.Verb;
import dev.mailroom.errors.InvalidMessageException;
import dev.mailroom.errors.LeaseLostException;
import dev.mailroom.errors.TransientStoreException;
import dev.mailroom.inspection.MessageState;
import dev.mailroom.messages.LastError;
import dev.mailroom.options.Backoff;
import dev.mailroom.options.RetryPolicy;
import dev.mailroom.options.StorageRetry;
import dev.mailroom.spi.HandlerOutcome;
import dev.mailroom.spi.HandlerOutcome.DeadLettered;
import dev.mailroom.spi.HandlerOutcome.RetryAfter;
import dev.mailroom.spi.Telemetry.Counter;
import dev.mailroom.test.ManualEngine;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

/** A handler that keeps steps, and judges by itself what its failures come to. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class StepsTest {
  private static final Duration MINUTE = Duration.ofMinutes(1);
  private static final LastError NO = LastError.of("busy", "not yet");

  private final EngineFixture fixture = EngineFixture.manual();
  private final List<Map<String, String>> seen = new ArrayList<>();
  private Throwable thrown;

  @AfterEach
  void closed() {
    fixture.close();
  }

  private Result step(Delivery<String> delivery, Result answer) {
    seen.add(delivery.message().checkpoints());
    delivery.checkpoint("step " + seen.size(), "done");
    return answer;
  }

  @Test
  void what_a_step_came_to_is_there_after_a_failure() {
    fixture
        .options(
            options -> options.retry(RetryPolicy.builder().backoff(Backoff.fixed(MINUTE)).build()))
        .handler(delivery -> step(delivery, Result.fail("no")));
    fixture.write("a");

    fixture.worker().run();
    fixture.pass(MINUTE.multipliedBy(2));
    fixture.worker().run();

    assertThat(seen).containsExactly(Map.of(), Map.of("step 1", "done"));
  }

  @Test
  void what_a_step_came_to_is_there_after_a_crash_and_after_a_redrive() {
    fixture.handler(delivery -> step(delivery, Result.deadLetter("no")));
    fixture.write("a");

    ManualEngine dying = fixture.worker();
    dying.fetch();
    dying.handle(); // and it dies before the outcome is stored
    fixture.pass(MINUTE.multipliedBy(3));
    ManualEngine next = fixture.worker();
    next.reclaim();
    fixture.pass(MINUTE.multipliedBy(10));
    next.run();
    fixture.inbox().deadLetters().redrive(DeadLetterFilter.all());
    next.run();

    assertThat(seen)
        .containsExactly(
            Map.of(), Map.of("step 1", "done"), Map.of("step 1", "done", "step 2", "done"));
  }

  @Test
  void a_checkpoint_is_repeated_when_the_store_fails_for_a_moment() {
    soonAgain().handler(delivery -> step(delivery, Result.retryLater(MINUTE)));
    UUID id = fixture.write("a");
    fixture.failing.fail(Verb.CHECKPOINT, 3);

    fixture.worker().run();

    assertThat(fixture.failing.calls(Verb.CHECKPOINT)).isEqualTo(4);
    assertThat(fixture.inbox().inspect().find(id).orElseThrow().message().checkpoints())
        .containsKey("step 1");
  }

  @Test
  void a_checkpoint_that_cannot_be_stored_throws_in_the_handler() {
    soonAgain().handler(this::caught);
    fixture.write("a");
    fixture.failing.breakDown(Verb.CHECKPOINT);

    fixture.worker().run();

    assertThat(thrown).isInstanceOf(TransientStoreException.class);
  }

  @Test
  void a_checkpoint_under_a_lost_lease_is_refused() {
    fixture.handler(
        delivery -> {
          fixture.pass(EngineFixture.LEASE.multipliedBy(2));
          fixture.worker().reclaim();
          return caught(delivery);
        });
    UUID id = fixture.write("a");

    ManualEngine slow = fixture.worker();
    slow.fetch();
    slow.handle();

    assertThat(thrown).isInstanceOf(LeaseLostException.class);
    assertThat(fixture.inbox().inspect().find(id).orElseThrow().message().checkpoints()).isEmpty();
  }

  @Test
  void a_blank_or_overlong_step_is_refused() {
    fixture.handler(
        delivery -> {
          assertThatThrownBy(() -> delivery.checkpoint(" ", "done"))
              .isInstanceOf(InvalidMessageException.class);
          assertThatThrownBy(() -> delivery.checkpoint("step", "x".repeat(257)))
              .isInstanceOf(InvalidMessageException.class);
          return Result.success();
        });
    UUID id = fixture.write("a");

    fixture.worker().run();

    assertThat(fixture.isGone(id)).as("the assertions held").isTrue();
  }

  @Test
  void a_checkpoint_beside_the_handlers_own_transaction_is_refused() {
    fixture.handler(
        delivery -> {
          delivery.transaction();
          assertThatIllegalStateException()
              .isThrownBy(() -> delivery.checkpoint("step", "done"))
              .withMessageContainingAll("'notes'", "'step'");
          return Result.success();
        });
    UUID id = fixture.write("a");

    fixture.worker().run();

    assertThat(fixture.isGone(id)).as("the assertions held").isTrue();
  }

  @Test
  void a_checkpoint_is_for_the_handlers_thread_until_it_returns() {
    List<Delivery<String>> kept = new ArrayList<>();
    fixture.handler(
        delivery -> {
          kept.add(delivery);
          thrown =
              CompletableFuture.supplyAsync(
                      () -> catchThrowable(() -> delivery.checkpoint("step", "done")))
                  .join();
          return Result.success();
        });
    fixture.write("a");

    fixture.worker().run();

    assertThat(thrown).isInstanceOf(IllegalStateException.class);
    assertThatIllegalStateException()
        .isThrownBy(() -> kept.get(0).checkpoint("step", "done"))
        .withMessageContaining("until it returns");
  }

  @Test
  void an_interrupted_handler_can_record_its_step_and_stays_interrupted() {
    List<Boolean> interrupted = new ArrayList<>();
    fixture.failing.fail(Verb.CHECKPOINT, 1);
    soonAgain()
        .handler(
            delivery -> {
              Thread.currentThread().interrupt();
              delivery.checkpoint("step", "done");
              interrupted.add(Thread.currentThread().isInterrupted());
              return Result.success();
            });
    fixture.write("a");

    fixture.worker().run();

    assertThat(interrupted).containsExactly(true);
  }

  @Test
  void a_failure_with_a_delay_of_its_own_is_retried_then_however_often_it_failed() {
    fixture
        .options(options -> options.retry(RetryPolicy.builder().attempts(1).build()))
        .handler(
            delivery ->
                Result.of(
                    delivery.attempt() < 4 ? new RetryAfter(NO, MINUTE) : new DeadLettered(NO)));
    UUID id = fixture.write("a");

    for (int attempt = 1; attempt < 4; attempt++) {
      fixture.worker().run();
      assertThat(fixture.delay(id)).isEqualTo(MINUTE);
      assertThat(fixture.progress(id).attempts()).isEqualTo(attempt);
      assertThat(fixture.progress(id).lastError()).isEqualTo(NO);
      fixture.pass(MINUTE);
    }
    fixture.worker().run();

    assertThat(fixture.deadLetter().error()).isEqualTo(NO);
    assertThat(fixture.telemetry.sum(Counter.FAILED)).isEqualTo(3);
    assertThat(fixture.telemetry.sum(Counter.RETRIED)).isEqualTo(3);
    assertThat(fixture.telemetry.sum(Counter.DEAD_LETTERED)).isEqualTo(1);
  }

  @Test
  void a_delay_of_its_own_is_never_a_hot_loop() {
    fixture.handler(delivery -> Result.of(new RetryAfter(NO, Duration.ZERO)));
    UUID id = fixture.write("a");

    fixture.worker().run();

    assertThat(fixture.delay(id)).isEqualTo(HandlerOutcome.SHORTEST_RETRY);
  }

  @Test
  void what_is_unhandled_is_kept_where_other_dead_letters_are_not() {
    fixture
        .options(options -> options.deadLetters(false))
        .handler(
            delivery ->
                Result.of(
                    delivery.payload().equals("a")
                        ? HandlerOutcome.unhandled("no handler")
                        : new DeadLettered(NO)));
    UUID kept = fixture.write("a");
    UUID discarded = fixture.write("b");

    fixture.worker().run();

    assertThat(fixture.state(kept)).isEqualTo(MessageState.DEAD);
    assertThat(fixture.deadLetter().error()).isEqualTo(LastError.of("unhandled", "no handler"));
    assertThat(fixture.isGone(discarded)).isTrue();
  }

  private EngineFixture soonAgain() {
    StorageRetry soon = new StorageRetry(3, Backoff.fixed(Duration.ofMillis(1)));
    return fixture.settings(builder -> builder.storageRetry(soon));
  }

  private Result caught(Delivery<String> delivery) {
    thrown = catchThrowable(() -> delivery.checkpoint("step", "done"));
    return Result.success();
  }
}

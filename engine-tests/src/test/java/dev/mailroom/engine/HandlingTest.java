package dev.mailroom.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mailroom.Delivery;
import dev.mailroom.Result;
import dev.mailroom.deadletters.DeadLetter;
import dev.mailroom.inspection.MessageState;
import dev.mailroom.options.Backoff;
import dev.mailroom.options.RetryPolicy;
import dev.mailroom.spi.HandlerOutcome;
import dev.mailroom.spi.Telemetry.Counter;
import dev.mailroom.test.ManualEngine;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The table of what a handler does and what becomes of its message, on manual time. */
class HandlingTest {
  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final RetryPolicy THREE_TIMES =
      RetryPolicy.builder().attempts(3).backoff(Backoff.fixed(SECOND).withJitter(0)).build();

  private final EngineFixture fixture = EngineFixture.manual();
  private final List<String> handled = new ArrayList<>();

  private Result noted(Delivery<String> delivery) {
    handled.add(delivery.payload() + "#" + delivery.attempt());
    return Result.success();
  }

  @Test
  @DisplayName("returns success: completed")
  void success() {
    fixture.handler(this::noted);
    UUID id = fixture.write("a");

    assertThat(fixture.worker().run()).isEqualTo(1);

    assertThat(handled).containsExactly("a#1");
    assertThat(fixture.isGone(id)).isTrue();
    assertThat(fixture.alive()).isZero();
    assertThat(fixture.telemetry.sum(Counter.COMPLETED)).isEqualTo(1);
  }

  @Test
  @DisplayName("returns failed: retried after back-off; dead when attempts run out; counts")
  void failed() {
    fixture
        .options(options -> options.retry(THREE_TIMES))
        .handler(
            delivery -> {
              noted(delivery);
              return Result.fail("no stock");
            });
    UUID id = fixture.write("a");

    assertRetriedThenDead(id, "failed", "no stock");
  }

  @Test
  @DisplayName("answers Failed(reason, notBefore): as failed, retried no sooner than that")
  void failureWithTime() {
    fixture
        .options(options -> options.retry(THREE_TIMES))
        .handler(
            delivery -> {
              noted(delivery);
              Duration notBefore = SECOND.multipliedBy(handled.size() == 1 ? 60 : 0);
              return Result.of(new HandlerOutcome.Failed("busy", notBefore));
            });
    UUID id = fixture.write("a");
    ManualEngine worker = fixture.worker();

    worker.run();
    assertThat(fixture.delay(id)).isEqualTo(SECOND.multipliedBy(60));
    fixture.pass(SECOND.multipliedBy(60));
    worker.run();
    assertThat(fixture.delay(id)).isEqualTo(SECOND);
    fixture.pass(SECOND);
    worker.run();

    assertThat(handled).containsExactly("a#1", "a#2", "a#3");
    assertThat(fixture.deadLetter().error().message()).isEqualTo("busy");
  }

  @Test
  @DisplayName("throws: retried after back-off; dead when attempts run out; counts")
  void throwing() {
    fixture
        .options(options -> options.retry(THREE_TIMES))
        .handler(
            delivery -> {
              noted(delivery);
              throw new IOException("no line");
            });
    UUID id = fixture.write("a");

    assertRetriedThenDead(id, IOException.class.getName(), "no line");
  }

  @Test
  @DisplayName("returns null, or throws an error that is no exception: as any throw")
  void answersNothing() {
    fixture
        .options(options -> options.retry(RetryPolicy.builder().attempts(1).build()))
        .handler(
            delivery -> {
              if (delivery.payload().equals("null")) {
                return null;
              }
              throw new StackOverflowError("deep");
            });
    fixture.writeAll("null", "error");

    fixture.worker().run();

    assertThat(fixture.deadLetters())
        .extracting(letter -> letter.error().message())
        .containsExactlyInAnyOrder("The handler returned null.", "deep");
  }

  private void assertRetriedThenDead(UUID id, String type, String message) {
    ManualEngine worker = fixture.worker();
    for (int attempt = 1; attempt < 3; attempt++) {
      assertThat(worker.run()).isEqualTo(1);
      assertThat(fixture.state(id)).isEqualTo(MessageState.SCHEDULED);
      assertThat(fixture.delay(id)).isEqualTo(SECOND);
      assertThat(fixture.progress(id).attempts()).isEqualTo(attempt);
      fixture.pass(SECOND.minusMillis(1));
      assertThat(worker.run()).isZero();
      fixture.pass(Duration.ofMillis(1));
    }
    worker.run();

    assertThat(handled).containsExactly("a#1", "a#2", "a#3");
    DeadLetter letter = fixture.deadLetter();
    assertThat(letter.id()).isEqualTo(id);
    assertThat(letter.error().type()).isEqualTo(type);
    assertThat(letter.error().message()).isEqualTo(message);
    assertThat(letter.message().progress().attempts()).isEqualTo(3);
    assertThat(fixture.telemetry.sum(Counter.FAILED)).isEqualTo(3);
    assertThat(fixture.telemetry.sum(Counter.RETRIED)).isEqualTo(2);
    assertThat(fixture.telemetry.sum(Counter.DEAD_LETTERED)).isEqualTo(1);
    fixture.pass(Duration.ofDays(1));
    assertThat(worker.run()).isZero();
  }

  @Test
  @DisplayName("returns retry(after): retried after that delay, counted as a deferral, no attempt")
  void deferral() {
    Duration later = Duration.ofMinutes(7);
    fixture
        .options(options -> options.retry(RetryPolicy.builder().attempts(1).build()))
        .handler(
            delivery -> {
              noted(delivery);
              return handled.size() < 4 ? Result.retryLater(later) : Result.success();
            });
    UUID id = fixture.write("a");
    ManualEngine worker = fixture.worker();

    for (int deferrals = 1; deferrals < 4; deferrals++) {
      worker.run();
      assertThat(fixture.delay(id)).isEqualTo(later);
      assertThat(fixture.progress(id).attempts()).isZero();
      assertThat(fixture.progress(id).deferrals()).isEqualTo(deferrals);
      fixture.pass(later.minusMillis(1));
      assertThat(worker.run()).isZero();
      fixture.pass(Duration.ofMillis(1));
    }
    worker.run();

    assertThat(handled).containsExactly("a#1", "a#1", "a#1", "a#1");
    assertThat(fixture.isGone(id)).isTrue();
    assertThat(fixture.telemetry.sum(Counter.DEFERRED)).isEqualTo(3);
    assertThat(fixture.telemetry.sum(Counter.FAILED)).isZero();
  }

  @Test
  @DisplayName("returns retryLater(after): never at once in a hot loop")
  void deferralIsNoHotLoop() {
    fixture.handler(
        delivery -> {
          noted(delivery);
          return Result.retryLater(Duration.ZERO);
        });
    UUID id = fixture.write("a");

    assertThat(fixture.worker().run()).isEqualTo(1);

    assertThat(fixture.delay(id)).isEqualTo(HandlerOutcome.SHORTEST_RETRY);
  }

  @Test
  @DisplayName("returns retry(after): with a cap of its own, after which it is dead")
  void deferralCap() {
    fixture
        .options(options -> options.retry(THREE_TIMES.toBuilder().deferrals(2).build()))
        .handler(
            delivery -> {
              noted(delivery);
              return Result.retryLater(SECOND);
            });
    fixture.write("a");
    ManualEngine worker = fixture.worker();

    for (int i = 0; i < 3; i++) {
      worker.run();
      fixture.pass(SECOND);
    }

    assertThat(handled).hasSize(3);
    assertThat(fixture.deadLetter().error().type()).isEqualTo("deferred-too-often");
    assertThat(fixture.deadLetter().message().progress().deferrals()).isEqualTo(2);
  }

  @Test
  @DisplayName("returns dead-letter(reason): dead, at once")
  void deadLetter() {
    fixture.handler(delivery -> Result.deadLetter("no such customer"));
    UUID id = fixture.write("a");

    fixture.worker().run();

    assertThat(fixture.state(id)).isEqualTo(MessageState.DEAD);
    assertThat(fixture.deadLetter().error().message()).isEqualTo("no such customer");
    assertThat(fixture.telemetry.sum(Counter.DEAD_LETTERED)).isEqualTo(1);
    assertThat(fixture.telemetry.sum(Counter.RETRIED)).isZero();
  }

  @Test
  @DisplayName("throws an error its channel calls permanent (a subclass too): dead, at once")
  void permanentError() {
    fixture
        .options(
            options ->
                options.retry(THREE_TIMES.toBuilder().permanent(RuntimeException.class).build()))
        .handler(
            delivery -> {
              IOException cause = new IOException("gone");
              throw delivery.payload().equals("permanent")
                  ? new UncheckedIOException(cause)
                  : cause;
            });
    UUID permanent = fixture.write("permanent");
    UUID passing = fixture.write("passing");

    fixture.worker().run();

    assertThat(fixture.state(permanent)).isEqualTo(MessageState.DEAD);
    assertThat(fixture.deadLetter().error().type()).isEqualTo(UncheckedIOException.class.getName());
    assertThat(fixture.state(passing)).isEqualTo(MessageState.SCHEDULED);
  }

  @Test
  @DisplayName("shutdown, not started yet: released at once, others take it, no attempt")
  void shutdownBeforeStart() {
    fixture.handler(this::noted);
    fixture.writeAll("a", "b");
    ManualEngine stopping = fixture.worker();
    stopping.fetch();
    assertThat(fixture.counts().leased()).isEqualTo(2);

    stopping.stop();

    assertThat(fixture.counts().ready()).isEqualTo(2);
    assertThat(stopping.holdsLeases()).isFalse();
    assertThat(fixture.worker().run()).isEqualTo(2);
    assertThat(handled).containsExactlyInAnyOrder("a#1", "b#1");
    assertThat(fixture.telemetry.sum(Counter.RELEASED)).isEqualTo(2);
  }
}

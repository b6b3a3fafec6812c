package dev.mailroom.testkit.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mailroom.Delivery;
import dev.mailroom.Result;
import dev.mailroom.deadletters.DeadLetter;
import dev.mailroom.inspection.MessageState;
import dev.mailroom.options.Backoff;
import dev.mailroom.options.RetryPolicy;
import dev.mailroom.spi.Telemetry.Counter;
import dev.mailroom.testkit.ManualEngine;
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

  private final Desk desk = Desk.manual();
  private final List<String> handled = new ArrayList<>();

  private Result noted(Delivery<String> delivery) {
    handled.add(delivery.payload() + "#" + delivery.attempt());
    return Result.success();
  }

  @Test
  @DisplayName("returns success: completed")
  void success() {
    desk.handler(this::noted);
    UUID id = desk.write("a");

    assertThat(desk.worker().run()).isEqualTo(1);

    assertThat(handled).containsExactly("a#1");
    assertThat(desk.isGone(id)).isTrue();
    assertThat(desk.alive()).isZero();
    assertThat(desk.telemetry.sum(Counter.COMPLETED)).isEqualTo(1);
  }

  @Test
  @DisplayName("returns failed: retried after back-off; dead when attempts run out; counts")
  void failed() {
    desk.options(options -> options.retry(THREE_TIMES))
        .handler(
            delivery -> {
              noted(delivery);
              return Result.fail("no stock");
            });
    UUID id = desk.write("a");

    assertRetriedThenDead(id, "failed", "no stock");
  }

  @Test
  @DisplayName("returns failed(reason, notBefore): as failed, retried no sooner than that")
  void failureWithTime() {
    desk.options(options -> options.retry(THREE_TIMES))
        .handler(
            delivery -> {
              noted(delivery);
              return Result.fail("busy", SECOND.multipliedBy(handled.size() == 1 ? 60 : 0));
            });
    UUID id = desk.write("a");
    ManualEngine worker = desk.worker();

    worker.run();
    assertThat(desk.delay(id)).isEqualTo(SECOND.multipliedBy(60));
    desk.pass(SECOND.multipliedBy(60));
    worker.run();
    assertThat(desk.delay(id)).isEqualTo(SECOND);
    desk.pass(SECOND);
    worker.run();

    assertThat(handled).containsExactly("a#1", "a#2", "a#3");
    assertThat(desk.deadLetter().error().message()).isEqualTo("busy");
  }

  @Test
  @DisplayName("throws: retried after back-off; dead when attempts run out; counts")
  void throwing() {
    desk.options(options -> options.retry(THREE_TIMES))
        .handler(
            delivery -> {
              noted(delivery);
              throw new IOException("no line");
            });
    UUID id = desk.write("a");

    assertRetriedThenDead(id, IOException.class.getName(), "no line");
  }

  @Test
  @DisplayName("returns null, or throws an error that is no exception: as any throw")
  void answersNothing() {
    desk.options(options -> options.retry(RetryPolicy.builder().attempts(1).build()))
        .handler(
            delivery -> {
              if (delivery.payload().equals("null")) {
                return null;
              }
              throw new StackOverflowError("deep");
            });
    desk.writeAll("null", "error");

    desk.worker().run();

    assertThat(desk.deadLetters())
        .extracting(letter -> letter.error().message())
        .containsExactlyInAnyOrder("The handler answered null.", "deep");
  }

  private void assertRetriedThenDead(UUID id, String type, String message) {
    ManualEngine worker = desk.worker();
    for (int attempt = 1; attempt < 3; attempt++) {
      assertThat(worker.run()).isEqualTo(1);
      assertThat(desk.state(id)).isEqualTo(MessageState.SCHEDULED);
      assertThat(desk.delay(id)).isEqualTo(SECOND);
      assertThat(desk.progress(id).attempts()).isEqualTo(attempt);
      desk.pass(SECOND.minusMillis(1));
      assertThat(worker.run()).isZero();
      desk.pass(Duration.ofMillis(1));
    }
    worker.run();

    assertThat(handled).containsExactly("a#1", "a#2", "a#3");
    DeadLetter letter = desk.deadLetter();
    assertThat(letter.id()).isEqualTo(id);
    assertThat(letter.error().type()).isEqualTo(type);
    assertThat(letter.error().message()).isEqualTo(message);
    assertThat(letter.message().progress().attempts()).isEqualTo(3);
    assertThat(desk.telemetry.sum(Counter.FAILED)).isEqualTo(3);
    assertThat(desk.telemetry.sum(Counter.RETRIED)).isEqualTo(2);
    assertThat(desk.telemetry.sum(Counter.DEAD_LETTERED)).isEqualTo(1);
    desk.pass(Duration.ofDays(1));
    assertThat(worker.run()).isZero();
  }

  @Test
  @DisplayName("returns retry(after): retried after that delay, counted as a deferral, no attempt")
  void deferral() {
    Duration later = Duration.ofMinutes(7);
    desk.options(options -> options.retry(RetryPolicy.builder().attempts(1).build()))
        .handler(
            delivery -> {
              noted(delivery);
              return handled.size() < 4 ? Result.retryLater(later) : Result.success();
            });
    UUID id = desk.write("a");
    ManualEngine worker = desk.worker();

    for (int deferrals = 1; deferrals < 4; deferrals++) {
      worker.run();
      assertThat(desk.delay(id)).isEqualTo(later);
      assertThat(desk.progress(id).attempts()).isZero();
      assertThat(desk.progress(id).deferrals()).isEqualTo(deferrals);
      desk.pass(later.minusMillis(1));
      assertThat(worker.run()).isZero();
      desk.pass(Duration.ofMillis(1));
    }
    worker.run();

    assertThat(handled).containsExactly("a#1", "a#1", "a#1", "a#1");
    assertThat(desk.isGone(id)).isTrue();
    assertThat(desk.telemetry.sum(Counter.DEFERRED)).isEqualTo(3);
    assertThat(desk.telemetry.sum(Counter.FAILED)).isZero();
  }

  @Test
  @DisplayName("returns retry(after): never at once in a hot loop")
  void deferralIsNoHotLoop() {
    desk.handler(
        delivery -> {
          noted(delivery);
          return Result.retryLater(Duration.ofMinutes(-1));
        });
    UUID id = desk.write("a");

    assertThat(desk.worker().run()).isEqualTo(1);

    assertThat(desk.delay(id)).isEqualTo(Result.SHORTEST_RETRY);
  }

  @Test
  @DisplayName("returns retry(after): with a cap of its own, after which it is dead")
  void deferralCap() {
    desk.options(options -> options.retry(THREE_TIMES.toBuilder().deferrals(2).build()))
        .handler(
            delivery -> {
              noted(delivery);
              return Result.retryLater(SECOND);
            });
    desk.write("a");
    ManualEngine worker = desk.worker();

    for (int i = 0; i < 3; i++) {
      worker.run();
      desk.pass(SECOND);
    }

    assertThat(handled).hasSize(3);
    assertThat(desk.deadLetter().error().type()).isEqualTo("deferred-too-often");
    assertThat(desk.deadLetter().message().progress().deferrals()).isEqualTo(2);
  }

  @Test
  @DisplayName("returns dead-letter(reason): dead, at once")
  void deadLetter() {
    desk.handler(delivery -> Result.deadLetter("no such customer"));
    UUID id = desk.write("a");

    desk.worker().run();

    assertThat(desk.state(id)).isEqualTo(MessageState.DEAD);
    assertThat(desk.deadLetter().error().message()).isEqualTo("no such customer");
    assertThat(desk.telemetry.sum(Counter.DEAD_LETTERED)).isEqualTo(1);
    assertThat(desk.telemetry.sum(Counter.RETRIED)).isZero();
  }

  @Test
  @DisplayName("throws an error its channel calls permanent (a subclass too): dead, at once")
  void permanentError() {
    desk.options(options -> options.retry(THREE_TIMES.toBuilder().permanent(RuntimeException.class).build()))
        .handler(
            delivery -> {
              IOException cause = new IOException("gone");
              throw delivery.payload().equals("permanent")
                  ? new UncheckedIOException(cause)
                  : cause;
            });
    UUID permanent = desk.write("permanent");
    UUID passing = desk.write("passing");

    desk.worker().run();

    assertThat(desk.state(permanent)).isEqualTo(MessageState.DEAD);
    assertThat(desk.deadLetter().error().type()).isEqualTo(UncheckedIOException.class.getName());
    assertThat(desk.state(passing)).isEqualTo(MessageState.SCHEDULED);
  }

  @Test
  @DisplayName("shutdown, not started yet: released at once, others take it, no attempt")
  void shutdownBeforeStart() {
    desk.handler(this::noted);
    desk.writeAll("a", "b");
    ManualEngine stopping = desk.worker();
    stopping.fetch();
    assertThat(desk.counts().leased()).isEqualTo(2);

    stopping.stop();

    assertThat(desk.counts().ready()).isEqualTo(2);
    assertThat(stopping.holdsLeases()).isFalse();
    assertThat(desk.worker().run()).isEqualTo(2);
    assertThat(handled).containsExactlyInAnyOrder("a#1", "b#1");
    assertThat(desk.telemetry.sum(Counter.RELEASED)).isEqualTo(2);
  }
}

package dev.mailroom.testkit.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.mailroom.HandlerOptions;
import dev.mailroom.Mailroom;
import dev.mailroom.Result;
import dev.mailroom.errors.MailroomException;
import dev.mailroom.inspection.MessageState;
import dev.mailroom.messages.LastError;
import dev.mailroom.messages.Limits;
import dev.mailroom.options.Backoff;
import dev.mailroom.options.RetryPolicy;
import dev.mailroom.spi.Telemetry.Counter;
import dev.mailroom.testkit.ManualEngine;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What stands below the table: retry policies, last errors, dead letters off. */
class HandlingPolicyTest {
  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final Duration MINUTE = Duration.ofMinutes(1);

  private final Desk desk = Desk.manual();

  /** The delays after each failure, in seconds. */
  private List<Long> delays(RetryPolicy policy) {
    desk.options(options -> options.retry(policy)).handler(delivery -> Result.fail("no"));
    UUID id = desk.write("a");
    ManualEngine worker = desk.worker();
    List<Long> delays = new ArrayList<>();
    worker.run();
    while (desk.state(id) == MessageState.SCHEDULED) {
      delays.add(desk.delay(id).toSeconds());
      desk.pass(desk.delay(id));
      worker.run();
    }
    return delays;
  }

  private static RetryPolicy six(Backoff backoff) {
    return RetryPolicy.builder().attempts(6).backoff(backoff.withJitter(0)).build();
  }

  @Test
  @DisplayName("Retry: fixed back-off")
  void fixed() {
    assertThat(delays(six(Backoff.fixed(SECOND)))).containsExactly(1L, 1L, 1L, 1L, 1L);
  }

  @Test
  @DisplayName("Retry: linear back-off, with its first delay and maximum")
  void linear() {
    assertThat(delays(six(Backoff.linear(SECOND, Duration.ofSeconds(4)))))
        .containsExactly(1L, 2L, 3L, 4L, 4L);
  }

  @Test
  @DisplayName("Retry: exponential back-off, with its first delay and maximum")
  void exponential() {
    assertThat(delays(six(Backoff.exponential(SECOND, Duration.ofSeconds(10)))))
        .containsExactly(1L, 2L, 4L, 8L, 10L);
  }

  @Test
  @DisplayName("Retry: jitter of 20 % either way by default")
  void jitter() {
    Backoff backoff = Backoff.fixed(Duration.ofSeconds(1_000));
    assertThat(delays(RetryPolicy.builder().attempts(100).backoff(backoff).build()))
        .hasSize(99)
        .allSatisfy(delay -> assertThat(delay).isCloseTo(1_000L, within(200L)))
        .anySatisfy(delay -> assertThat(delay).isNotEqualTo(1_000L));
  }

  @Test
  @DisplayName("Retry: per channel by its options, per contract and handler by the handler's own")
  void perHandler() {
    RetryPolicy own = RetryPolicy.builder().backoff(Backoff.fixed(MINUTE).withJitter(0)).build();
    RetryPolicy channels = RetryPolicy.builder().backoff(Backoff.fixed(SECOND).withJitter(0)).build();
    desk.options(options -> options.retry(channels))
        .inbox(
            inbox ->
                inbox
                    .handler(String.class, delivery -> Result.fail("no"))
                    .handler(
                        byte[].class,
                        delivery -> Result.fail("no"),
                        HandlerOptions.builder().retry(own).build()));
    UUID text = desk.write("a");
    UUID blob = desk.writeBlob("b");

    desk.worker().run();

    assertThat(desk.delay(text)).isEqualTo(SECOND);
    assertThat(desk.delay(blob)).isEqualTo(MINUTE);
  }

  @Test
  @DisplayName("The last error is kept: type, message, first lines of the trace, not the payload")
  void lastError() {
    desk.handler(
        delivery -> {
          throw new IllegalStateException("outer", new MailroomException("inner"));
        });
    UUID id = desk.write("card number 4711");

    desk.worker().run();

    LastError error = desk.progress(id).lastError();
    assertThat(error.type()).isEqualTo(IllegalStateException.class.getName());
    assertThat(error.message()).isEqualTo("outer");
    assertThat(error.detail()).contains("  at ", getClass().getSimpleName(), "inner");
    assertThat(error.toString() + error.detail()).doesNotContain("4711");
  }

  @Test
  @DisplayName("The last error is kept: bounded")
  void lastErrorIsBounded() {
    desk.handler(
        delivery -> {
          throw new IllegalStateException(
              "x".repeat(100_000), new IllegalStateException("y".repeat(100_000)));
        });
    UUID id = desk.write("a");

    desk.worker().run();

    LastError error = desk.progress(id).lastError();
    assertThat(error.type().length() + error.message().length() + error.detail().length())
        .isLessThanOrEqualTo(Limits.ERROR_LENGTH);
    assertThat(error.message()).startsWith("xxx").endsWith("…");
  }

  @Test
  @DisplayName("An error that cannot even describe itself is a failure like any other")
  void errorThatThrows() {
    desk.handler(
        delivery -> {
          throw new SpeechlessException();
        });
    UUID id = desk.write("a");

    desk.worker().run();

    assertThat(desk.state(id)).isEqualTo(MessageState.SCHEDULED);
    assertThat(desk.progress(id).attempts()).isEqualTo(1);
    assertThat(desk.progress(id).lastError().type()).endsWith("SpeechlessException");
  }

  private static final class SpeechlessException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    @Override
    public String getMessage() {
      throw new UnsupportedOperationException("no message");
    }
  }

  @Test
  @DisplayName("Dead letters switched off: exhausted messages are discarded and counted")
  void deadLettersOff() {
    desk.options(options -> options.deadLetters(false).retry(RetryPolicy.builder().attempts(1).build()))
        .handler(
            delivery ->
                delivery.payload().equals("failed")
                    ? Result.fail("no")
                    : Result.deadLetter("never"));
    desk.writeAll("failed", "dead");

    desk.worker().run();

    assertThat(desk.alive()).isZero();
    assertThat(desk.deadLetters()).isEmpty();
    assertThat(desk.telemetry.sum(Counter.DISCARDED)).isEqualTo(2);
    assertThat(desk.telemetry.sum(Counter.DEAD_LETTERED)).isZero();
  }

  @Test
  @DisplayName("Dead letters switched off: those that crash too often or expire are discarded too")
  void deadLettersOffAtTheClaim() {
    desk.options(options -> options.deadLetters(false)).handler(delivery -> Result.success());
    UUID id = desk.write("a", options -> options.lifetime(SECOND));
    desk.pass(SECOND.multipliedBy(2));

    assertThat(desk.worker().run()).isZero();

    assertThat(desk.isGone(id)).isTrue();
    assertThat(desk.telemetry.sum(Counter.DISCARDED)).isEqualTo(1);
  }

  @Test
  @DisplayName("Dead letters switched off: unknown and undecodable ones are kept all the same")
  void deadLettersOffKeepsWhatNobodyUnderstood() {
    desk.options(options -> options.deadLetters(false).park(MINUTE))
        .settings(builder -> builder.codec(new TextCodec()))
        .handler(delivery -> Result.success());
    Mailroom newer =
        Mailroom.builder()
            .store(desk.store())
            .contract(String.class, "newer", 1)
            .inbox(Desk.INBOX, inbox -> {})
            .build();
    newer.inbox(Desk.INBOX).write("from the future");
    desk.write(TextCodec.UNREADABLE);
    ManualEngine worker = desk.worker();

    worker.run();
    desk.pass(MINUTE.multipliedBy(2));
    worker.run();

    assertThat(desk.deadLetters())
        .extracting(letter -> letter.error().type())
        .containsExactlyInAnyOrder("undecodable", "unknown-contract");
    assertThat(desk.telemetry.sum(Counter.DISCARDED)).isZero();
  }
}

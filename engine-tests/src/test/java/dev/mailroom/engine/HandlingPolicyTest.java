package dev.mailroom.engine;

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
import dev.mailroom.test.ManualEngine;
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

  private final EngineFixture fixture = EngineFixture.manual();

  /** The delays after each failure, in seconds. */
  private List<Long> delays(RetryPolicy policy) {
    fixture.options(options -> options.retry(policy)).handler(delivery -> Result.fail("no"));
    UUID id = fixture.write("a");
    ManualEngine worker = fixture.worker();
    List<Long> delays = new ArrayList<>();
    worker.run();
    while (fixture.state(id) == MessageState.SCHEDULED) {
      delays.add(fixture.delay(id).toSeconds());
      fixture.pass(fixture.delay(id));
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
    RetryPolicy channels =
        RetryPolicy.builder().backoff(Backoff.fixed(SECOND).withJitter(0)).build();
    fixture
        .options(options -> options.retry(channels))
        .inbox(
            inbox ->
                inbox
                    .handler(String.class, delivery -> Result.fail("no"))
                    .handler(
                        byte[].class,
                        delivery -> Result.fail("no"),
                        HandlerOptions.builder().retry(own).build()));
    UUID text = fixture.write("a");
    UUID blob = fixture.writeBlob("b");

    fixture.worker().run();

    assertThat(fixture.delay(text)).isEqualTo(SECOND);
    assertThat(fixture.delay(blob)).isEqualTo(MINUTE);
  }

  @Test
  @DisplayName("The last error is kept: type, message, first lines of the trace, not the payload")
  void lastError() {
    fixture.handler(
        delivery -> {
          throw new IllegalStateException("outer", new MailroomException("inner"));
        });
    UUID id = fixture.write("card number 4711");

    fixture.worker().run();

    LastError error = fixture.progress(id).lastError();
    assertThat(error.type()).isEqualTo(IllegalStateException.class.getName());
    assertThat(error.message()).isEqualTo("outer");
    assertThat(error.detail()).contains("  at ", getClass().getSimpleName(), "inner");
    assertThat(error.toString() + error.detail()).doesNotContain("4711");
  }

  @Test
  @DisplayName("The last error is kept: bounded")
  void lastErrorIsBounded() {
    fixture.handler(
        delivery -> {
          throw new IllegalStateException(
              "x".repeat(100_000), new IllegalStateException("y".repeat(100_000)));
        });
    UUID id = fixture.write("a");

    fixture.worker().run();

    LastError error = fixture.progress(id).lastError();
    assertThat(error.type().length() + error.message().length() + error.detail().length())
        .isLessThanOrEqualTo(Limits.ERROR_LENGTH);
    assertThat(error.message()).startsWith("xxx").endsWith("…");
  }

  @Test
  @DisplayName("An error that cannot even describe itself is a failure like any other")
  void errorThatThrows() {
    fixture.handler(
        delivery -> {
          throw new ExceptionWithoutMessage();
        });
    UUID id = fixture.write("a");

    fixture.worker().run();

    assertThat(fixture.state(id)).isEqualTo(MessageState.SCHEDULED);
    assertThat(fixture.progress(id).attempts()).isEqualTo(1);
    assertThat(fixture.progress(id).lastError().type()).endsWith("ExceptionWithoutMessage");
  }

  private static final class ExceptionWithoutMessage extends RuntimeException {
    private static final long serialVersionUID = 1L;

    @Override
    public String getMessage() {
      throw new UnsupportedOperationException("no message");
    }
  }

  @Test
  @DisplayName("Dead letters switched off: exhausted messages are discarded and counted")
  void deadLettersOff() {
    fixture
        .options(
            options -> options.deadLetters(false).retry(RetryPolicy.builder().attempts(1).build()))
        .handler(
            delivery ->
                delivery.payload().equals("failed")
                    ? Result.fail("no")
                    : Result.deadLetter("never"));
    fixture.writeAll("failed", "dead");

    fixture.worker().run();

    assertThat(fixture.alive()).isZero();
    assertThat(fixture.deadLetters()).isEmpty();
    assertThat(fixture.telemetry.sum(Counter.DISCARDED)).isEqualTo(2);
    assertThat(fixture.telemetry.sum(Counter.DEAD_LETTERED)).isZero();
  }

  @Test
  @DisplayName(
      "Dead letters switched off: messages that crash too often or expire are discarded too")
  void deadLettersOffAtTheClaim() {
    fixture.options(options -> options.deadLetters(false)).handler(delivery -> Result.success());
    UUID id = fixture.write("a", options -> options.lifetime(SECOND));
    fixture.pass(SECOND.multipliedBy(2));

    assertThat(fixture.worker().run()).isZero();

    assertThat(fixture.isGone(id)).isTrue();
    assertThat(fixture.telemetry.sum(Counter.DISCARDED)).isEqualTo(1);
  }

  @Test
  @DisplayName("Dead letters switched off: unknown and undecodable ones are kept all the same")
  void deadLettersOffKeepsWhatNoHandlerMatched() {
    fixture
        .options(options -> options.deadLetters(false).park(MINUTE))
        .settings(builder -> builder.codec(new TextCodec()))
        .handler(delivery -> Result.success());
    Mailroom newer =
        Mailroom.builder()
            .store(fixture.store())
            .contract(String.class, "newer", 1)
            .inbox(EngineFixture.INBOX, inbox -> {})
            .build();
    newer.inbox(EngineFixture.INBOX).write("from the future");
    fixture.write(TextCodec.UNREADABLE);
    ManualEngine worker = fixture.worker();

    worker.run();
    fixture.pass(MINUTE.multipliedBy(2));
    worker.run();

    assertThat(fixture.deadLetters())
        .extracting(letter -> letter.error().type())
        .containsExactlyInAnyOrder("undecodable", "unknown-contract");
    assertThat(fixture.telemetry.sum(Counter.DISCARDED)).isZero();
  }
}

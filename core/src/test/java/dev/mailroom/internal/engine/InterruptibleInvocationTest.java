package dev.mailroom.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.mailroom.time.TimeSource;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class InterruptibleInvocationTest {
  private static final Duration LIMIT = Duration.ofSeconds(1);

  /** Time whose reading something can be made to slip in before. */
  private static final class SlippedTime implements TimeSource {
    private Duration elapsed = Duration.ZERO;
    private Runnable beforeNextReading = () -> {};

    @Override
    public Instant now() {
      return Instant.EPOCH.plus(elapsed);
    }

    @Override
    public long nanos() {
      Runnable slipped = beforeNextReading;
      beforeNextReading = () -> {};
      slipped.run();
      return elapsed.toNanos();
    }
  }

  private final SlippedTime time = new SlippedTime();
  private final InterruptibleInvocation invocation = new InterruptibleInvocation(time);

  @AfterEach
  void clear() {
    Thread.interrupted();
  }

  @Test
  void a_call_that_takes_too_long_is_interrupted() {
    invocation.begin(LIMIT);
    time.elapsed = LIMIT;
    invocation.interruptIfLate();

    assertThat(Thread.currentThread().isInterrupted()).isTrue();
    assertThat(invocation.end()).isEqualTo(HandlerInvocation.EndReason.TIMED_OUT);
    assertThat(Thread.currentThread().isInterrupted()).as("cleared at the end").isFalse();
  }

  @Test
  void a_call_within_its_limit_or_without_one_is_left_alone() {
    invocation.begin(LIMIT);
    time.elapsed = LIMIT.minusNanos(1);
    invocation.interruptIfLate();
    assertThat(invocation.end()).isEqualTo(HandlerInvocation.EndReason.RETURNED);

    invocation.begin(null);
    time.elapsed = Duration.ofDays(1);
    invocation.interruptIfLate();
    assertThat(invocation.end()).isEqualTo(HandlerInvocation.EndReason.RETURNED);
  }

  @Test
  void between_two_calls_no_thread_is_interrupted() {
    invocation.begin(LIMIT);
    invocation.end();
    time.elapsed = LIMIT;

    invocation.interruptIfLate();
    invocation.interrupt(HandlerInvocation.EndReason.STOPPED);

    assertThat(Thread.currentThread().isInterrupted()).isFalse();
    invocation.begin(LIMIT);
    assertThat(invocation.end()).isEqualTo(HandlerInvocation.EndReason.RETURNED);
  }

  @Test
  void an_interrupt_meant_for_one_call_never_hits_the_next() {
    invocation.begin(LIMIT);
    time.elapsed = LIMIT;
    time.beforeNextReading =
        () -> {
          invocation.end();
          invocation.begin(Duration.ofDays(1));
          time.elapsed = LIMIT.plusDays(2);
        };

    invocation.interruptIfLate();

    assertThat(Thread.currentThread().isInterrupted()).isFalse();
    assertThat(invocation.end()).isEqualTo(HandlerInvocation.EndReason.RETURNED);
  }

  @Test
  void only_the_first_interrupt_of_a_call_counts() {
    invocation.begin(LIMIT);
    time.elapsed = LIMIT;
    invocation.interrupt(HandlerInvocation.EndReason.STOPPED);
    invocation.interruptIfLate();

    assertThat(invocation.end()).isEqualTo(HandlerInvocation.EndReason.STOPPED);
  }

  @Test
  void ending_twice_does_no_harm() {
    invocation.begin(null);
    invocation.end();

    assertThat(invocation.end()).isEqualTo(HandlerInvocation.EndReason.RETURNED);
  }

  @Test
  void a_handlers_own_interrupt_is_cleared() {
    invocation.begin(null);
    Thread.currentThread().interrupt();

    assertThat(invocation.end()).isEqualTo(HandlerInvocation.EndReason.RETURNED);
    assertThat(Thread.currentThread().isInterrupted()).isFalse();
  }

  @Test
  void there_is_no_lease_before_work_was_taken_up() {
    assertThatIllegalStateException().isThrownBy(invocation::lease);
  }
}

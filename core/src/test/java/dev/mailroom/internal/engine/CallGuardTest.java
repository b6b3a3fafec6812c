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
class CallGuardTest {
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
  private final CallGuard guard = new CallGuard(time);

  @AfterEach
  void clear() {
    Thread.interrupted();
  }

  @Test
  void a_call_that_takes_too_long_is_interrupted() {
    guard.begin(LIMIT);
    time.elapsed = LIMIT;
    guard.interruptIfLate();

    assertThat(Thread.currentThread().isInterrupted()).isTrue();
    assertThat(guard.end()).isEqualTo(Call.Ending.TIMED_OUT);
    assertThat(Thread.currentThread().isInterrupted()).as("cleared at the end").isFalse();
  }

  @Test
  void a_call_within_its_limit_or_without_one_is_left_alone() {
    guard.begin(LIMIT);
    time.elapsed = LIMIT.minusNanos(1);
    guard.interruptIfLate();
    assertThat(guard.end()).isEqualTo(Call.Ending.RETURNED);

    guard.begin(null);
    time.elapsed = Duration.ofDays(1);
    guard.interruptIfLate();
    assertThat(guard.end()).isEqualTo(Call.Ending.RETURNED);
  }

  @Test
  void between_two_calls_nobody_is_interrupted() {
    guard.begin(LIMIT);
    guard.end();
    time.elapsed = LIMIT;

    guard.interruptIfLate();
    guard.interrupt(Call.Ending.STOPPED);

    assertThat(Thread.currentThread().isInterrupted()).isFalse();
    guard.begin(LIMIT);
    assertThat(guard.end()).isEqualTo(Call.Ending.RETURNED);
  }

  @Test
  void an_interrupt_meant_for_one_call_never_hits_the_next() {
    guard.begin(LIMIT);
    time.elapsed = LIMIT;
    time.beforeNextReading =
        () -> {
          guard.end();
          guard.begin(Duration.ofDays(1));
          time.elapsed = LIMIT.plusDays(2);
        };

    guard.interruptIfLate();

    assertThat(Thread.currentThread().isInterrupted()).isFalse();
    assertThat(guard.end()).isEqualTo(Call.Ending.RETURNED);
  }

  @Test
  void only_the_first_interrupt_of_a_call_counts() {
    guard.begin(LIMIT);
    time.elapsed = LIMIT;
    guard.interrupt(Call.Ending.STOPPED);
    guard.interruptIfLate();

    assertThat(guard.end()).isEqualTo(Call.Ending.STOPPED);
  }

  @Test
  void ending_twice_does_no_harm() {
    guard.begin(null);
    guard.end();

    assertThat(guard.end()).isEqualTo(Call.Ending.RETURNED);
  }

  @Test
  void a_handlers_own_interrupt_is_cleared() {
    guard.begin(null);
    Thread.currentThread().interrupt();

    assertThat(guard.end()).isEqualTo(Call.Ending.RETURNED);
    assertThat(Thread.currentThread().isInterrupted()).isFalse();
  }

  @Test
  void there_is_no_lease_before_work_was_taken_up() {
    assertThatIllegalStateException().isThrownBy(guard::lease);
  }
}

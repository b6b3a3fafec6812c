package dev.mailroom;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.mailroom.errors.InvalidOptionsException;
import dev.mailroom.options.Backoff;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class BackoffTest {
  private static final Duration SECOND = Duration.ofSeconds(1);

  private static List<Long> seconds(Backoff backoff) {
    return IntStream.rangeClosed(1, 6).mapToObj(i -> backoff.delay(i).toSeconds()).toList();
  }

  /** Always the same fraction. */
  private static RandomGenerator constant(double fraction) {
    return new RandomGenerator() {
      @Override
      public long nextLong() {
        return 0;
      }

      @Override
      public double nextDouble() {
        return fraction;
      }
    };
  }

  @Test
  void fixed_stays() {
    assertThat(seconds(Backoff.fixed(SECOND))).containsExactly(1L, 1L, 1L, 1L, 1L, 1L);
  }

  @Test
  void linear_grows_by_its_first_value_up_to_the_maximum() {
    assertThat(seconds(Backoff.linear(SECOND, Duration.ofSeconds(4))))
        .containsExactly(1L, 2L, 3L, 4L, 4L, 4L);
  }

  @Test
  void exponential_doubles_up_to_the_maximum() {
    assertThat(seconds(Backoff.exponential(SECOND, Duration.ofSeconds(20))))
        .containsExactly(1L, 2L, 4L, 8L, 16L, 20L);
  }

  @Test
  void no_number_of_failures_makes_it_overflow() {
    Duration most = Duration.ofDays(10_000);

    for (Backoff backoff :
        List.of(Backoff.linear(SECOND, most), Backoff.exponential(SECOND, most))) {
      assertThat(backoff.delay(Integer.MAX_VALUE)).isPositive().isLessThanOrEqualTo(most);
      assertThat(backoff.delay(63)).isPositive().isLessThanOrEqualTo(most);
      assertThat(backoff.delay(0)).isEqualTo(SECOND);
      assertThat(backoff.delay(-1)).isEqualTo(SECOND);
    }
  }

  @Test
  void jitter_goes_either_way() {
    Backoff backoff = Backoff.fixed(Duration.ofSeconds(10));

    assertThat(backoff.delay(1, constant(0))).isEqualTo(Duration.ofSeconds(8));
    assertThat(backoff.delay(1, constant(0.5))).isEqualTo(Duration.ofSeconds(10));
    assertThat(backoff.delay(1, constant(1))).isEqualTo(Duration.ofSeconds(12));
    Random random = new Random(42);
    assertThat(IntStream.range(0, 1_000).mapToObj(i -> backoff.delay(1, random)))
        .allSatisfy(
            delay -> assertThat(delay).isBetween(Duration.ofSeconds(8), Duration.ofSeconds(12)));
  }

  @Test
  void jitter_can_be_switched_off() {
    assertThat(Backoff.fixed(SECOND).withJitter(0).delay(1, constant(0))).isEqualTo(SECOND);
  }

  @Test
  void a_delay_is_never_nothing() {
    assertThat(Backoff.fixed(Duration.ofNanos(1)).delay(1)).isEqualTo(Duration.ofMillis(1));
    assertThat(Backoff.fixed(SECOND).withJitter(1).delay(1, constant(0)))
        .isEqualTo(Duration.ofMillis(1));
  }

  @Test
  void all_violations_are_reported_at_once() {
    assertThatExceptionOfType(InvalidOptionsException.class)
        .isThrownBy(
            () ->
                new Backoff(
                    Backoff.Growth.FIXED, Duration.ZERO, Duration.ofSeconds(-1), Double.NaN))
        .withMessageContainingAll("first is PT0S", "maximum is PT-1S", "jitter is NaN")
        .satisfies(error -> assertThat(error.violations()).hasSize(4));
  }
}

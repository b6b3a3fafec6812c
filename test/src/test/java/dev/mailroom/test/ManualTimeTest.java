package dev.mailroom.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class ManualTimeTest {
  private final ManualTime time = new ManualTime();

  @Test
  void it_starts_at_a_known_time_and_does_not_move() {
    assertThat(time.now()).isEqualTo(ManualTime.START);
    assertThat(time.now()).isEqualTo(ManualTime.START);
    assertThat(time.nanos()).isEqualTo(time.nanos());
  }

  @Test
  void advancing_moves_both_clocks() {
    long before = time.nanos();
    time.advance(Duration.ofMillis(1_500));

    assertThat(time.now()).isEqualTo(ManualTime.START.plusMillis(1_500));
    assertThat(time.nanos() - before).isEqualTo(1_500_000_000L);
  }

  @Test
  void centuries_may_pass() {
    time.advance(Duration.ofDays(200_000));

    assertThat(time.now()).isEqualTo(ManualTime.START.plus(Duration.ofDays(200_000)));
  }

  @Test
  void setting_moves_the_wall_clock_alone_and_may_turn_it_back() {
    long before = time.nanos();
    Instant earlier = ManualTime.START.minusSeconds(60);
    time.set(earlier);

    assertThat(time.now()).isEqualTo(earlier);
    assertThat(time.nanos()).isEqualTo(before);
  }

  @Test
  void it_does_not_advance_backwards() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> time.advance(Duration.ofNanos(-1)))
        .withMessageContaining("PT-0.000000001S");
    assertThat(time.now()).isEqualTo(ManualTime.START);
  }
}

package dev.mailroom.server.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class UnitsTest {
  @ParameterizedTest
  @CsvSource({
    "PT5M, 5m",
    "PT1H30M, 1h 30m",
    "PT0.25S, 250ms",
    "PT36H, 1d 12h",
    "P7D, 7d",
    "PT1M0.001S, 1m 1ms",
    "PT0S, 0s",
    "PT0.0000001S, 1ms",
    "PT-2S, -2s"
  })
  void a_duration_is_shown_as_people_write_it(Duration duration, String shown) {
    assertThat(Units.shown(duration)).isEqualTo(shown);
  }

  @Test
  void every_duration_that_is_shown_can_be_given_in_a_configuration() {
    SplittableRandom random = new SplittableRandom(7);
    for (int i = 0; i < 10_000; i++) {
      Duration duration = Duration.ofMillis(random.nextLong(1L << random.nextInt(1, 50)));

      assertThat(Units.duration(Units.shown(duration))).isEqualTo(duration);
    }
  }

  @Test
  void defaults_of_settings_are_written_as_durations_are_shown() {
    assertThat(KnownSettings.ALL)
        .filteredOn(setting -> setting.type() == SettingType.DURATION && setting.fallback() != null)
        .isNotEmpty()
        .allSatisfy(
            setting ->
                assertThat(Units.shown(Units.duration(setting.fallback())))
                    .isEqualTo(setting.fallback()));
  }

  @Test
  void blanks_between_parts_may_be_left_out() {
    assertThat(Units.duration("1h30m")).isEqualTo(Duration.ofMinutes(90));
    assertThat(Units.duration(" 1 h  30 m ")).isEqualTo(Duration.ofMinutes(90));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "soon", "5", "5x", "30m 1h", "1h 1h", "1h x", "-1s", "PT5M", "1.5h"})
  void what_is_no_duration_is_refused(String text) {
    assertThatThrownBy(() -> Units.duration(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("is no duration: write 500ms");
  }

  @Test
  void what_is_longer_than_any_clock_will_run_is_refused() {
    assertThatThrownBy(() -> Units.duration("36500000d 1ms"))
        .hasMessageContaining("a duration is at most 36500000d");
  }

  @Test
  void texts_of_the_library_are_made_readable() {
    assertThat(Units.readable("first is PT0S: must be positive; maximum is P1DT-0.001S; PTA, Px"))
        .isEqualTo("first is 0s: must be positive; maximum is 23h 59m 59s 999ms; PTA, Px");
  }
}

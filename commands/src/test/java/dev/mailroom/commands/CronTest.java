package dev.mailroom.commands;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.mailroom.errors.InvalidOptionsException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The times that cron expressions name. Berlin changes its clocks on 29 March and 25 October. */
class CronTest {

  private static List<String> times(String cron, String zone, String from, int count) {
    Recurrence recurrence = Recurrence.cron(cron, zone);
    List<String> times = new ArrayList<>();
    Instant time = recurrence.first(Instant.parse(from));
    for (int i = 0; i < count; i++) {
      times.add(time.toString());
      time = recurrence.next(time, time);
    }
    return times;
  }

  @Test
  void five_fields_begin_with_minutes() {
    assertThat(times("30 3 * * MON-FRI", "UTC", "2026-03-27T12:00:00Z", 2))
        .containsExactly("2026-03-30T03:30:00Z", "2026-03-31T03:30:00Z");
  }

  @Test
  void six_fields_begin_with_seconds() {
    assertThat(times("*/20 * * * * *", "UTC", "2026-03-27T12:00:00Z", 3))
        .containsExactly("2026-03-27T12:00:20Z", "2026-03-27T12:00:40Z", "2026-03-27T12:01:00Z");
  }

  @Test
  void if_both_days_are_given_either_will_do() {
    assertThat(times("0 0 13 * FRI", "UTC", "2026-04-04T00:00:00Z", 3))
        .containsExactly("2026-04-10T00:00:00Z", "2026-04-13T00:00:00Z", "2026-04-17T00:00:00Z");
  }

  @ParameterizedTest(name = "{0} ({1})")
  @CsvSource({
    "0 0 L * *, the last day of the month, 2026-04-30T00:00:00Z",
    "0 0 LW * *, the last weekday of the month, 2026-04-30T00:00:00Z",
    "0 0 16W 5 *, the weekday nearest to a Saturday, 2026-05-15T00:00:00Z",
    "0 0 * * FRI#2, the second Friday, 2026-04-10T00:00:00Z",
    "0 0 * * 5L, the last Friday, 2026-04-24T00:00:00Z",
    "0 0 * * 7, Sunday as 7, 2026-04-05T00:00:00Z",
    "0 0 * * 0, Sunday as 0, 2026-04-05T00:00:00Z",
    "0 0 29 2 *, a day of leap years, 2028-02-29T00:00:00Z",
  })
  void special_days(String cron, String meaning, String expected) {
    assertThat(times(cron, "UTC", "2026-04-01T12:00:00Z", 1)).as(meaning).containsExactly(expected);
  }

  @Test
  void times_are_those_of_the_zones_clocks() {
    assertThat(times("0 9 * * *", "Asia/Kolkata", "2026-04-01T12:00:00Z", 1))
        .containsExactly("2026-04-02T03:30:00Z");
    assertThat(times("0 9 * * *", "Europe/Berlin", "2026-03-28T12:00:00Z", 1))
        .containsExactly("2026-03-29T07:00:00Z");
  }

  @Test
  void a_time_that_the_clocks_leave_out_comes_when_they_are_put_forward() {
    assertThat(times("30 2 * * *", "Europe/Berlin", "2026-03-28T00:00:00Z", 3))
        .containsExactly("2026-03-28T01:30:00Z", "2026-03-29T01:00:00Z", "2026-03-30T00:30:00Z");
    assertThat(times("0 0 * * *", "America/Santiago", "2026-09-05T12:00:00Z", 2))
        .as("clocks that are put forward at midnight")
        .containsExactly("2026-09-06T04:00:00Z", "2026-09-07T03:00:00Z");
  }

  @Test
  void several_times_that_the_clocks_leave_out_come_as_one() {
    assertThat(times("*/15 2 * * *", "Europe/Berlin", "2026-03-28T12:00:00Z", 2))
        .containsExactly("2026-03-29T01:00:00Z", "2026-03-30T00:00:00Z");
    assertThat(times("0 2,3 * * *", "Europe/Berlin", "2026-03-28T12:00:00Z", 2))
        .containsExactly("2026-03-29T01:00:00Z", "2026-03-30T00:00:00Z");
  }

  @Test
  void a_time_that_the_clocks_repeat_comes_once_the_first_time() {
    assertThat(times("30 2 * * *", "Europe/Berlin", "2026-10-24T12:00:00Z", 2))
        .containsExactly("2026-10-25T00:30:00Z", "2026-10-26T01:30:00Z");
    assertThat(times("0 2,3 * * *", "Europe/Berlin", "2026-10-24T12:00:00Z", 3))
        .containsExactly("2026-10-25T00:00:00Z", "2026-10-25T02:00:00Z", "2026-10-26T01:00:00Z");
  }

  @Test
  void in_the_repeated_hour_nothing_comes_that_was_in_the_first() {
    assertThat(times("30 2 * * *", "Europe/Berlin", "2026-10-25T01:15:00Z", 1))
        .containsExactly("2026-10-26T01:30:00Z");
    assertThat(times("0 3 * * *", "Europe/Berlin", "2026-10-25T01:15:00Z", 1))
        .as("the first time after it")
        .containsExactly("2026-10-25T02:00:00Z");
  }

  @Test
  void every_hour_means_every_hour_whatever_the_clocks_show() {
    assertThat(times("0 * * * *", "Europe/Berlin", "2026-03-28T23:30:00Z", 3))
        .containsExactly("2026-03-29T00:00:00Z", "2026-03-29T01:00:00Z", "2026-03-29T02:00:00Z");
    assertThat(times("*/30 * * * *", "Europe/Berlin", "2026-10-24T23:45:00Z", 6))
        .containsExactly(
            "2026-10-25T00:00:00Z",
            "2026-10-25T00:30:00Z",
            "2026-10-25T01:00:00Z",
            "2026-10-25T01:30:00Z",
            "2026-10-25T02:00:00Z",
            "2026-10-25T02:30:00Z");
  }

  @Test
  void clocks_may_change_by_half_an_hour() {
    assertThat(times("45 1 * * *", "Australia/Lord_Howe", "2026-04-04T12:00:00Z", 2))
        .containsExactly("2026-04-04T14:45:00Z", "2026-04-05T15:15:00Z");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "hello",
        "* * * *",
        "* * * * * * *",
        "61 * * * *",
        "*/0 * * * *",
        "0 24 * * *",
        "0 0 0 * *",
        "0 0 * 13 *",
        "0 0 * * 8",
        "5-1 * * * *",
        "@daily",
      })
  void what_is_no_cron_expression_is_refused(String wrong) {
    assertThatExceptionOfType(InvalidOptionsException.class)
        .isThrownBy(() -> Recurrence.cron(wrong, "UTC"))
        .withMessageContaining("cron is '" + wrong + "'")
        .withMessageContaining("Five fields");
  }

  @Test
  void a_day_that_never_comes_is_refused() {
    assertThatExceptionOfType(InvalidOptionsException.class)
        .isThrownBy(() -> Recurrence.cron("0 0 30 2 *", "UTC"))
        .withMessageContaining("there is no such day");
  }

  @ParameterizedTest
  @ValueSource(strings = {"Europe/Atlantis", "", "CET+"})
  void an_unknown_zone_is_refused(String zone) {
    assertThatExceptionOfType(InvalidOptionsException.class)
        .isThrownBy(() -> Recurrence.cron("0 0 * * *", zone))
        .withMessageContaining("zone is " + zone);
  }

  /** The library against the plainest way to find the next minute: looking at each. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4})
  void chosen_at_random_an_expression_names_the_minutes_that_match(long seed) {
    Random random = new Random(seed);
    for (int i = 0; i < 25; i++) {
      List<Integer> minutes = some(random, 0, 60);
      List<Integer> hours = some(random, 0, 24);
      List<Integer> days = some(random, 1, 29);
      List<Integer> months = some(random, 1, 13);
      String cron = "%s %s %s %s *".formatted(text(minutes), text(hours), text(days), text(months));
      LocalDateTime from =
          LocalDateTime.of(2026, 1 + random.nextInt(12), 1 + random.nextInt(28), 0, 0)
              .plusMinutes(random.nextInt(1440));
      LocalDateTime expected = from.plusMinutes(1);
      while (!(months.contains(expected.getMonthValue())
          && days.contains(expected.getDayOfMonth())
          && hours.contains(expected.getHour())
          && minutes.contains(expected.getMinute()))) {
        expected = expected.plusMinutes(1);
      }

      assertThat(Recurrence.cron(cron, "UTC").first(from.toInstant(ZoneOffset.UTC)))
          .as("%s after %s", cron, from)
          .isEqualTo(expected.toInstant(ZoneOffset.UTC));
    }
  }

  private static List<Integer> some(Random random, int from, int to) {
    return IntStream.range(from, to)
        .filter(each -> each == from + 1 || random.nextInt(4) == 0)
        .boxed()
        .toList();
  }

  private static String text(List<Integer> values) {
    return values.stream().map(String::valueOf).collect(Collectors.joining(","));
  }
}

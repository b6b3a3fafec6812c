package dev.mailroom.http;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads the header in which a receiver says when it wants to be asked again. */
final class RetryAfter {
  /** A time further ahead than this is a mistake, and not a wish. */
  static final Duration BELIEVABLE = Duration.ofDays(30);

  private static final Pattern SECONDS = Pattern.compile("[0-9]{1,18}");

  private RetryAfter() {}

  /**
   * How long to wait at least, up to the longest time allowed. Zero, which leaves the time to the
   * back-off, if the value names no later time: it is missing or cannot be read, it is zero, it
   * lies in the past, or more than {@link #BELIEVABLE} ahead.
   *
   * @param value seconds, or a date of HTTP; null if there is none
   */
  static Duration parse(@Nullable String value, Instant now, Duration longest) {
    Duration wanted = value == null ? Duration.ZERO : read(value.trim(), now);
    if (wanted.isNegative() || wanted.compareTo(BELIEVABLE) > 0) {
      return Duration.ZERO;
    }
    return wanted.compareTo(longest) > 0 ? longest : wanted;
  }

  private static Duration read(String value, Instant now) {
    try {
      return SECONDS.matcher(value).matches()
          ? Duration.ofSeconds(Long.parseLong(value))
          : Duration.between(now, Instant.from(DateTimeFormatter.RFC_1123_DATE_TIME.parse(value)));
    } catch (DateTimeException | ArithmeticException e) {
      return Duration.ZERO;
    }
  }
}

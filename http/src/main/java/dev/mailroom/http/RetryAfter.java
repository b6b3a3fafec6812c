package dev.mailroom.http;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads the header in which a receiver says when it wants to be asked again. */
final class RetryAfter {
  private static final Pattern SECONDS = Pattern.compile("[0-9]{1,18}");

  private RetryAfter() {}

  /**
   * How long to wait, from nothing to the longest time allowed; null if it cannot be read.
   *
   * @param value seconds, or a date of HTTP
   */
  static @Nullable Duration parse(String value, Instant now, Duration longest) {
    Duration wanted;
    String trimmed = value.trim();
    try {
      wanted =
          SECONDS.matcher(trimmed).matches()
              ? Duration.ofSeconds(Long.parseLong(trimmed))
              : Duration.between(
                  now, Instant.from(DateTimeFormatter.RFC_1123_DATE_TIME.parse(trimmed)));
    } catch (DateTimeException | ArithmeticException e) {
      return null;
    }
    if (wanted.isNegative()) {
      return Duration.ZERO;
    }
    return wanted.compareTo(longest) > 0 ? longest : wanted;
  }
}

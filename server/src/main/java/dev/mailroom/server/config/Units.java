package dev.mailroom.server.config;

import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** How sizes and durations are written. */
public final class Units {
  private static final Pattern MEASURE = Pattern.compile("(\\d{1,15})\\s*([a-zA-Z]*)");
  private static final Map<String, Long> BYTES =
      Map.of("", 1L, "b", 1L, "kib", 1L << 10, "mib", 1L << 20, "gib", 1L << 30);
  private static final Map<String, Duration> TIMES =
      Map.of(
          "ms", Duration.ofMillis(1),
          "s", Duration.ofSeconds(1),
          "m", Duration.ofMinutes(1),
          "h", Duration.ofHours(1),
          "d", Duration.ofDays(1));

  /** A hundred thousand years: what is due later fits no timestamp of some store. */
  private static final Duration LONGEST = Duration.ofDays(36_500_000);

  private Units() {}

  static int size(String text) {
    Matcher matcher = MEASURE.matcher(text.strip());
    if (!matcher.matches()) {
      throw new IllegalArgumentException();
    }
    Long unit = BYTES.get(matcher.group(2).toLowerCase(Locale.ROOT));
    if (unit == null) {
      throw new IllegalArgumentException();
    }
    return Math.toIntExact(Math.multiplyExact(Long.parseLong(matcher.group(1)), unit));
  }

  /**
   * Reads {@code 500ms}, {@code 30s}, {@code 5m}, {@code 2h} or {@code 7d}.
   *
   * @throws IllegalArgumentException if it is anything else, or longer than any clock will run
   */
  public static Duration duration(String text) {
    Matcher matcher = MEASURE.matcher(text.strip());
    Duration unit = matcher.matches() ? TIMES.get(matcher.group(2)) : null;
    if (unit == null) {
      throw new IllegalArgumentException(
          "'" + text + "' is no duration: write 500ms, 30s, 5m, 2h or 7d");
    }
    long count = Long.parseLong(matcher.group(1));
    if (count > LONGEST.dividedBy(unit)) {
      throw new IllegalArgumentException(
          "'" + text + "' is too long: a duration is at most " + LONGEST.toDays() + "d");
    }
    return unit.multipliedBy(count);
  }

  static boolean flag(String text) {
    if (text.equals("true") || text.equals("false")) {
      return text.equals("true");
    }
    throw new IllegalArgumentException();
  }

  /** What a value of that type must be. */
  static String rule(SettingType type, RuntimeException error) {
    return switch (type) {
      case NUMBER -> "it must be a whole number.";
      case SIZE -> "it must be a size such as 512, 16KiB or 1MiB.";
      case DURATION -> "it must be a duration such as 500ms, 30s, 5m, 2h or 7d.";
      case TIME -> "it must be a time such as 2026-12-01T00:00:00Z.";
      case FLAG -> "it must be true or false.";
      default -> error.getMessage() + ".";
    };
  }
}

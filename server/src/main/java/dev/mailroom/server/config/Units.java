package dev.mailroom.server.config;

import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** How sizes and durations are written and shown. */
public final class Units {
  private static final Pattern SIZE = Pattern.compile("(\\d{1,15})\\s*([a-zA-Z]*)");
  private static final Map<String, Long> BYTES =
      Map.of("", 1L, "b", 1L, "kib", 1L << 10, "mib", 1L << 20, "gib", 1L << 30);

  private static final Pattern PART = Pattern.compile("\\G\\s*(\\d{1,15})\\s*([a-zA-Z]+)");
  private static final Pattern ISO_DURATION = Pattern.compile("\\bP(?:-?\\d+D)?(?:T[-0-9.HMS]+)?");

  /** The units of a duration, the longest first, as they follow each other in one. */
  private static final List<Unit> UNITS =
      List.of(
          new Unit("d", Duration.ofDays(1)),
          new Unit("h", Duration.ofHours(1)),
          new Unit("m", Duration.ofMinutes(1)),
          new Unit("s", Duration.ofSeconds(1)),
          new Unit("ms", Duration.ofMillis(1)));

  /** A hundred thousand years: what is due later fits no timestamp of some store. */
  private static final Duration LONGEST = Duration.ofDays(36_500_000);

  private record Unit(String name, Duration length) {}

  private Units() {}

  static int size(String text) {
    Matcher matcher = SIZE.matcher(text.strip());
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
   * Reads {@code 500ms}, {@code 30s}, {@code 5m}, {@code 2h}, {@code 7d}, or several of them, the
   * longest unit first: {@code 1h 30m}.
   *
   * @throws IllegalArgumentException if it is anything else, or longer than any clock will run
   */
  public static Duration duration(String text) {
    Matcher matcher = PART.matcher(text);
    Duration sum = Duration.ZERO;
    int units = 0;
    int end = 0;
    while (matcher.find()) {
      int unit = unit(matcher.group(2), units);
      if (unit < 0) {
        throw noDuration(text);
      }
      sum = sum.plus(length(text, Long.parseLong(matcher.group(1)), UNITS.get(unit).length()));
      units = unit + 1;
      end = matcher.end();
    }
    if (units == 0 || !text.substring(end).isBlank()) {
      throw noDuration(text);
    }
    if (sum.compareTo(LONGEST) > 0) {
      throw tooLong(text);
    }
    return sum;
  }

  /** The index of the unit, at or after the given one, or -1. */
  private static int unit(String name, int from) {
    for (int i = from; i < UNITS.size(); i++) {
      if (UNITS.get(i).name().equals(name)) {
        return i;
      }
    }
    return -1;
  }

  private static Duration length(String text, long count, Duration unit) {
    if (count > LONGEST.dividedBy(unit)) {
      throw tooLong(text);
    }
    return unit.multipliedBy(count);
  }

  private static IllegalArgumentException noDuration(String text) {
    return new IllegalArgumentException(
        "'" + text + "' is no duration: write 500ms, 30s, 5m, 2h, 7d or 1h 30m");
  }

  private static IllegalArgumentException tooLong(String text) {
    return new IllegalArgumentException(
        "'" + text + "' is too long: a duration is at most " + shown(LONGEST));
  }

  /**
   * A duration as {@link #duration} reads it: {@code 1h 30m}. What is less than a millisecond is
   * rounded up to one.
   */
  public static String shown(Duration duration) {
    if (duration.isNegative()) {
      return "-" + shown(duration.negated());
    }
    Duration rest = duration.plusNanos(999_999);
    List<String> parts = new ArrayList<>();
    for (Unit unit : UNITS) {
      long count = rest.dividedBy(unit.length());
      if (count > 0) {
        parts.add(count + unit.name());
        rest = rest.minus(unit.length().multipliedBy(count));
      }
    }
    return parts.isEmpty() ? "0s" : String.join(" ", parts);
  }

  /** A text of the library, which writes durations in ISO 8601, with durations as people do. */
  static String readable(String text) {
    return ISO_DURATION.matcher(text).replaceAll(found -> readableDuration(found.group()));
  }

  private static String readableDuration(String text) {
    try {
      return shown(Duration.parse(text));
    } catch (DateTimeParseException e) {
      return Matcher.quoteReplacement(text);
    }
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
      case DURATION -> "it must be a duration such as 500ms, 30s, 5m, 2h, 7d or 1h 30m.";
      case TIME -> "it must be a time such as 2026-12-01T00:00:00Z.";
      case FLAG -> "it must be true or false.";
      default -> error.getMessage() + ".";
    };
  }
}

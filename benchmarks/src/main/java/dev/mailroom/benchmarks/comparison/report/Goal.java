package dev.mailroom.benchmarks.comparison.report;

import java.util.Locale;
import java.util.OptionalDouble;

/**
 * What Mailroom is meant to reach, and what was seen of it.
 *
 * @param name what is looked at
 * @param bound the least or the most that will do
 * @param atLeast whether more is better
 * @param unit of the bound, such as {@code of the floor}
 * @param seen what was measured, if it was
 */
record Goal(String name, double bound, boolean atLeast, String unit, OptionalDouble seen) {

  boolean isReached() {
    return seen.isPresent()
        && (atLeast ? seen.getAsDouble() >= bound : seen.getAsDouble() <= bound);
  }

  boolean isMissed() {
    return seen.isPresent() && !isReached();
  }

  /** Such as {@code at least 0.8 of the floor}. */
  String wanted() {
    String number = String.format(Locale.ROOT, bound == Math.rint(bound) ? "%.0f" : "%.1f", bound);
    return (atLeast ? "at least " : "at most ") + number + " " + unit;
  }

  /** What was seen; with one more digit if it would otherwise look like the bound. */
  String found() {
    if (seen.isEmpty()) {
      return Numbers.ratio(seen);
    }
    boolean close = Math.abs(seen.getAsDouble() - bound) < 0.01;
    return String.format(Locale.ROOT, close ? "%.3f" : "%.2f", seen.getAsDouble());
  }

  /** In a word. */
  String verdict() {
    if (seen.isEmpty()) {
      return "not measured";
    }
    return isReached() ? "reached" : "missed";
  }
}

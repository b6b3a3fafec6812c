package dev.mailroom.benchmarks.comparison.report;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.Locale;
import java.util.OptionalDouble;

/** Numbers as a reader wants them: three digits that count, and no more. */
final class Numbers {
  private static final MathContext THREE_DIGITS = new MathContext(3);
  private static final String NONE = "–";

  private Numbers() {}

  /** Such as 168,000, 12.3 or 0.456. */
  static String plain(double number) {
    if (!Double.isFinite(number)) {
      return NONE;
    }
    BigDecimal rounded = new BigDecimal(number).round(THREE_DIGITS);
    double size = rounded.abs().doubleValue();
    int decimals = size >= 100 || size == 0 ? 0 : size >= 10 ? 1 : size >= 1 ? 2 : 3;
    return String.format(Locale.ROOT, "%,." + decimals + "f", rounded);
  }

  /** A number below an axis: without digits that say nothing. */
  static String mark(double number) {
    String text = plain(number);
    return text.contains(".") ? text.replaceAll("\\.?0+$", "") : text;
  }

  /** Such as 0.82 or 0.005; a dash if there is none. */
  static String ratio(OptionalDouble ratio) {
    if (ratio.isEmpty()) {
      return NONE;
    }
    return String.format(
        Locale.ROOT, ratio.getAsDouble() < 0.1 ? "%.3f" : "%.2f", ratio.getAsDouble());
  }

  /** Such as 12.3×; a dash if there is none. */
  static String times(OptionalDouble ratio) {
    boolean large = ratio.isPresent() && ratio.getAsDouble() >= 10;
    return (large ? plain(ratio.getAsDouble()) : ratio(ratio)) + (ratio.isPresent() ? "×" : "");
  }

  /** Such as 7 %. */
  static String percent(double share) {
    return String.format(Locale.ROOT, "%.0f %%", share * 100);
  }

  /** Such as +7 % or −12 %. */
  static String change(double share) {
    return String.format(Locale.ROOT, "%+.0f %%", share * 100).replace('-', '−');
  }
}

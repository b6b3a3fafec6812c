package dev.mailroom.benchmarks.comparison.report;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/** Turns numbers into places between 0 and 1, in even steps or by powers of ten. */
final class Axis {
  /** From here on the small ones could not be told apart in even steps. */
  private static final double TOO_FAR_APART = 20;

  private final boolean logarithmic;
  private final double from;
  private final double to;

  private Axis(boolean logarithmic, double from, double to) {
    this.logarithmic = logarithmic;
    this.from = from;
    this.to = to;
  }

  /** One on which all these numbers have a place. */
  static Axis over(Collection<Double> numbers) {
    double highest = numbers.stream().mapToDouble(Double::doubleValue).max().orElse(1);
    double lowest =
        numbers.stream().mapToDouble(Double::doubleValue).filter(n -> n > 0).min().orElse(1);
    if (highest > lowest * TOO_FAR_APART) {
      double from = Math.floor(Math.log10(lowest));
      return new Axis(true, from, Math.max(from + 1, Math.ceil(Math.log10(highest))));
    }
    return new Axis(false, 0, highest <= 0 ? 1 : roundedUp(highest));
  }

  /** To the next one, two or five of a power of ten. */
  private static double roundedUp(double number) {
    double power = Math.pow(10, Math.floor(Math.log10(number)));
    for (double step : new double[] {1, 2, 5}) {
      if (number <= step * power) {
        return step * power;
      }
    }
    return 10 * power;
  }

  boolean isLogarithmic() {
    return logarithmic;
  }

  /** Where this number is; what is too small for a logarithm is at the beginning. */
  double place(double number) {
    double value = logarithmic ? (number <= 0 ? from : Math.log10(number)) : number;
    return Math.min(1, Math.max(0, (value - from) / (to - from)));
  }

  /** Numbers to write below the axis. */
  List<Double> marks() {
    List<Double> marks = new ArrayList<>();
    if (logarithmic) {
      for (double power = from; power <= to; power++) {
        marks.add(Math.pow(10, power));
      }
    } else {
      for (int quarter = 0; quarter <= 4; quarter++) {
        marks.add(to * quarter / 4);
      }
    }
    return marks;
  }
}

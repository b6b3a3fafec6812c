package dev.mailroom.benchmarks.comparison.results;

import java.util.List;

/** The middle of a few numbers, and how far they lie apart. */
public final class Medians {
  private Medians() {}

  /** The middle one, or the mean of the middle two. */
  public static double median(List<Double> numbers) {
    List<Double> sorted = numbers.stream().sorted().toList();
    if (sorted.isEmpty()) {
      throw new IllegalArgumentException("no numbers have no median");
    }
    int middle = sorted.size() / 2;
    return sorted.size() % 2 == 1
        ? sorted.get(middle)
        : (sorted.get(middle - 1) + sorted.get(middle)) / 2;
  }

  /** Between the highest and the lowest, as a share of the median; 0 if all are 0. */
  public static double spread(List<Double> numbers) {
    double median = median(numbers);
    double highest = numbers.stream().mapToDouble(Double::doubleValue).max().orElseThrow();
    double lowest = numbers.stream().mapToDouble(Double::doubleValue).min().orElseThrow();
    return median == 0 ? 0 : (highest - lowest) / median;
  }
}

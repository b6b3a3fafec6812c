package dev.mailroom.benchmarks.comparison.workload;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What one run of one contender has given.
 *
 * @param value the number itself
 * @param extra what else was seen, by name
 */
record Reading(double value, Map<String, Double> extra) {

  /** The same with one more thing that was seen. */
  Reading with(String name, double seen) {
    Map<String, Double> more = new LinkedHashMap<>(extra);
    more.put(name, seen);
    return new Reading(value, more);
  }
}

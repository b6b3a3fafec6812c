package dev.mailroom.benchmarks.comparison;

import java.util.List;

/**
 * What to measure. An empty list means all that there are.
 *
 * @param quick whether to take the short plan
 * @param workloads names of {@link dev.mailroom.benchmarks.comparison.results.Names}
 * @param contenders beginnings of names, whatever their case; the floor takes part anyway
 * @param databases names of {@link dev.mailroom.benchmarks.comparison.results.Names}
 */
public record Selection(
    boolean quick, List<String> workloads, List<String> contenders, List<String> databases) {
  public Selection {
    workloads = List.copyOf(workloads);
    contenders = List.copyOf(contenders);
    databases = List.copyOf(databases);
  }
}

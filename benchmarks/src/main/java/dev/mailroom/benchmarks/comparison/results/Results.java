package dev.mailroom.benchmarks.comparison.results;

import java.util.List;

/**
 * All that one comparison has seen. Ratios are not kept: they follow from the measurements.
 *
 * @param started when, as ISO 8601 in UTC
 * @param seconds how long it took
 * @param quick whether it was a short run, whose figures only show that everything works
 * @param machine what it ran on
 * @param databases the servers, with their settings
 * @param contenders who took part
 * @param measurements what was measured
 * @param notes what a reader has to know, such as a contender that broke off
 */
public record Results(
    String started,
    long seconds,
    boolean quick,
    MachineFacts machine,
    List<DatabaseFacts> databases,
    List<ContenderFacts> contenders,
    List<Measurement> measurements,
    List<String> notes) {
  public Results {
    databases = List.copyOf(databases);
    contenders = List.copyOf(contenders);
    measurements = List.copyOf(measurements);
    notes = List.copyOf(notes);
  }
}

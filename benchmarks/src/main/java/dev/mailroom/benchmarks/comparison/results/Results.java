package dev.mailroom.benchmarks.comparison.results;

import com.fasterxml.jackson.annotation.JsonIgnore;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Stream;

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

  /** Whether it was long enough, on a machine that was free enough, to judge by. */
  @JsonIgnore
  public boolean isWorthAVerdict() {
    return !quick && !machine.isTooBusy();
  }

  /**
   * With what another run has measured, such as the held snapshot, which takes a run of its own.
   * Who and what ran this one stays as it is.
   */
  public Results with(Results other) {
    return new Results(
        started,
        seconds,
        quick,
        machine,
        union(databases, other.databases, DatabaseFacts::name),
        union(contenders, other.contenders, ContenderFacts::name),
        Stream.concat(measurements.stream(), other.measurements.stream()).toList(),
        Stream.concat(notes.stream(), other.notes.stream()).distinct().toList());
  }

  private static <T> List<T> union(List<T> some, List<T> more, Function<T, String> name) {
    Map<String, T> all = new LinkedHashMap<>();
    some.forEach(one -> all.put(name.apply(one), one));
    more.forEach(one -> all.putIfAbsent(name.apply(one), one));
    return List.copyOf(all.values());
  }
}

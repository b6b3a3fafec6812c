package dev.mailroom.benchmarks.comparison.results;

import com.fasterxml.jackson.annotation.JsonIgnore;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * One contender in one variant of a workload.
 *
 * @param workload see {@link Names}
 * @param variant of the workload, see {@link Names}
 * @param database the server's name, see {@link Names}
 * @param contender its name, as in {@link ContenderFacts#name()}
 * @param unit of the rounds' numbers, see {@link Names}
 * @param higherIsBetter whether a larger number is the better one
 * @param rounds a number per round that counts
 * @param median of the rounds
 * @param spread between the highest and the lowest round, as a share of the median
 * @param setup the contender's own settings that were used, empty if it has none
 * @param extra what else was seen, medians by name, see {@link Names}
 */
public record Measurement(
    String workload,
    String variant,
    String database,
    String contender,
    String unit,
    boolean higherIsBetter,
    List<Double> rounds,
    double median,
    double spread,
    String setup,
    Map<String, Double> extra) {

  public Measurement {
    if (rounds.isEmpty()) {
      throw new IllegalArgumentException(
          workload + ", " + variant + ", " + contender + " has no rounds: note it instead");
    }
    rounds = List.copyOf(rounds);
    extra = Collections.unmodifiableMap(new LinkedHashMap<>(extra));
  }

  /** With the median and the spread of these rounds; without a setup or anything extra. */
  public static Measurement of(Key key, String contender, Unit unit, List<Double> rounds) {
    double median = Medians.median(rounds);
    return new Measurement(
        key.workload(),
        key.variant(),
        key.database(),
        contender,
        unit.text(),
        unit.higherIsBetter(),
        rounds,
        median,
        Medians.spread(rounds),
        "",
        Map.of());
  }

  /** The same with the contender's settings. */
  public Measurement withSetup(String text) {
    return new Measurement(
        workload,
        variant,
        database,
        contender,
        unit,
        higherIsBetter,
        rounds,
        median,
        spread,
        text,
        extra);
  }

  /** The same with one more thing that was seen. */
  public Measurement withExtra(String name, double value) {
    Map<String, Double> more = new LinkedHashMap<>(extra);
    more.put(name, value);
    return new Measurement(
        workload,
        variant,
        database,
        contender,
        unit,
        higherIsBetter,
        rounds,
        median,
        spread,
        setup,
        more);
  }

  /** What was measured, whoever took part. */
  @JsonIgnore
  public Key key() {
    return new Key(workload, variant, database);
  }
}

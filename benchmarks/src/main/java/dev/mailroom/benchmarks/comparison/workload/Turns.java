package dev.mailroom.benchmarks.comparison.workload;

import dev.mailroom.benchmarks.comparison.contender.Entry;
import dev.mailroom.benchmarks.comparison.results.Key;
import dev.mailroom.benchmarks.comparison.results.Measurement;
import dev.mailroom.benchmarks.comparison.results.Medians;
import dev.mailroom.benchmarks.comparison.results.Unit;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/** Measures contenders in interleaved rounds: each round runs every contender once. */
final class Turns {
  /** After so many failures a contender is out. */
  private static final int FAILURES = 2;

  /** Longer than it takes to write the largest backlog on a slow machine. */
  private static final Duration PATIENCE = Duration.ofMinutes(5);

  private final Session session;
  private final Key key;
  private final Unit unit;
  private final Map<Entry, List<Reading>> readings = new LinkedHashMap<>();
  private final Map<Entry, Integer> failures = new LinkedHashMap<>();

  Turns(Session session, Key key, Unit unit) {
    this.session = session;
    this.key = key;
    this.unit = unit;
  }

  /** One run of one contender. */
  interface Run {
    /** Measures it for that long. */
    Reading measure(Entry entry, Duration time) throws Exception;
  }

  /** A round that does not count, if the plan has one, and those that do. */
  void take(List<Entry> line, Duration time, Run run) throws InterruptedException {
    Plan.Timing timing = session.plan().timing();
    if (!timing.warmUp().isZero()) {
      round("warm-up", line, timing.warmUp(), run, false);
    }
    takeWarm(line, time, run);
  }

  /** The rounds that count. */
  void takeWarm(List<Entry> line, Duration time, Run run) throws InterruptedException {
    int rounds = session.rounds();
    for (int round = 1; round <= rounds; round++) {
      round("round " + round + " of " + rounds, line, time, run, true);
    }
    readings.forEach((entry, all) -> session.add(measurement(entry, all)));
  }

  /** Adds what was seen beside as a measurement of its own. */
  void derive(Key other, Unit ofIt, String extra) {
    readings.forEach(
        (entry, all) -> {
          List<Double> seen = seen(all, extra);
          if (!seen.isEmpty()) {
            session.add(Measurement.of(other, entry.name(), ofIt, seen).withSetup(setup(entry)));
          }
        });
  }

  private static List<Double> seen(List<Reading> all, String name) {
    return all.stream()
        .map(reading -> reading.extra().get(name))
        .filter(Objects::nonNull)
        .map(Objects::requireNonNull)
        .toList();
  }

  private void round(String name, List<Entry> line, Duration time, Run run, boolean counts)
      throws InterruptedException {
    for (Entry entry : line) {
      if (failures.getOrDefault(entry, 0) >= FAILURES) {
        continue;
      }
      try {
        Reading reading = Watched.call(() -> run.measure(entry, time), PATIENCE);
        say(name, entry, String.format(Locale.ROOT, "%,.1f %s", reading.value(), unit.text()));
        if (counts) {
          readings.computeIfAbsent(entry, each -> new ArrayList<>()).add(reading);
        }
      } catch (InterruptedException e) {
        throw e;
      } catch (Exception e) {
        failures.merge(entry, 1, Integer::sum);
        session.note(where() + ", " + entry.name() + ": " + Reasons.of(e));
      }
    }
  }

  private void say(String round, Entry entry, String what) {
    session.say(where() + ", " + round + ", " + entry.name() + ": " + what);
  }

  private String where() {
    return key.database() + ", " + key.workload() + ", " + key.variant();
  }

  private String setup(Entry entry) {
    return session.setups().text(key.database(), entry);
  }

  private Measurement measurement(Entry entry, List<Reading> all) {
    Measurement measurement =
        Measurement.of(key, entry.name(), unit, all.stream().map(Reading::value).toList())
            .withSetup(setup(entry));
    Set<String> names = new LinkedHashSet<>();
    all.forEach(reading -> names.addAll(reading.extra().keySet()));
    for (String name : names) {
      measurement = measurement.withExtra(name, Medians.median(seen(all, name)));
    }
    return measurement;
  }
}

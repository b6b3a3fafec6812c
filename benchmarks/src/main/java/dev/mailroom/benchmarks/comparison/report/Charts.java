package dev.mailroom.benchmarks.comparison.report;

import dev.mailroom.benchmarks.comparison.results.Measurement;
import dev.mailroom.benchmarks.comparison.results.Names;
import dev.mailroom.benchmarks.comparison.results.Results;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The charts of one run: one for a workload on a database, where there is something to compare. */
public final class Charts {
  /** Their variants are numbers of different things, which share no axis. */
  private static final Set<String> WITHOUT = Set.of(Names.COST, Names.HEAP);

  private final Map<String, Chart> charts = new LinkedHashMap<>();

  /** Draws them. */
  public Charts(Results results) {
    this(new Races(results));
  }

  Charts(Races races) {
    Map<String, List<Race>> byFile = new LinkedHashMap<>();
    for (Race race : races.all()) {
      if (!WITHOUT.contains(race.key().workload())) {
        String file = race.key().workload() + "-" + race.key().database() + ".svg";
        byFile.computeIfAbsent(file, unused -> new ArrayList<>()).add(race);
      }
    }
    byFile.forEach(
        (file, several) -> {
          if (several.stream().mapToInt(race -> race.everybody().size()).sum() > 1) {
            charts.put(file, chart(several, races));
          }
        });
  }

  private static Chart chart(List<Race> several, Races races) {
    Race first = several.get(0);
    Measurement some = first.everybody().get(0);
    String unit = some.unit() + (some.higherIsBetter() ? ", more is better" : ", less is better");
    return new Chart(
        Catalogue.heading(first.key()),
        unit,
        several.stream()
            .map(
                race ->
                    new Chart.Group(
                        race.key().variant(),
                        race.everybody().stream().map(one -> bar(one, races)).toList()))
            .toList());
  }

  private static Chart.Bar bar(Measurement one, Races races) {
    return new Chart.Bar(
        one.contender(),
        races.role(one),
        one.median(),
        Collections.min(one.rounds()),
        Collections.max(one.rounds()));
  }

  /** By the names of their files. */
  Map<String, Chart> all() {
    return Collections.unmodifiableMap(charts);
  }

  /** Writes each as a file. Answers with how many there are. */
  public int write(Path directory) throws IOException {
    Files.createDirectories(directory);
    for (Map.Entry<String, Chart> chart : charts.entrySet()) {
      Files.writeString(directory.resolve(chart.getKey()), chart.getValue().svg());
    }
    return charts.size();
  }
}

package dev.mailroom.benchmarks.comparison.cli;

import dev.mailroom.benchmarks.comparison.Comparison;
import dev.mailroom.benchmarks.comparison.Findings;
import dev.mailroom.benchmarks.comparison.Progress;
import dev.mailroom.benchmarks.comparison.Selection;
import dev.mailroom.benchmarks.comparison.results.ContenderFacts;
import dev.mailroom.benchmarks.comparison.results.Measurement;
import dev.mailroom.benchmarks.comparison.results.Results;
import java.time.Duration;
import java.util.List;

/** A comparison that finds again what was found before. */
final class Replay implements Comparison {
  private final Results results;

  Replay(Results results) {
    this.results = results;
  }

  @Override
  public List<String> workloads() {
    return results.measurements().stream().map(Measurement::workload).distinct().toList();
  }

  @Override
  public List<String> contenders() {
    return results.contenders().stream().map(ContenderFacts::name).toList();
  }

  @Override
  public Findings run(Selection selection, Progress progress) {
    progress.expects(Duration.ofMinutes(38));
    progress.says("drain, single: Mailroom");
    List<Measurement> wanted =
        results.measurements().stream()
            .filter(
                one ->
                    selection.workloads().isEmpty()
                        || selection.workloads().contains(one.workload()))
            .toList();
    return new Findings(results.databases(), results.contenders(), wanted, results.notes());
  }

  @Override
  public Findings snapshot(Duration held, Progress progress) {
    return new Findings(
        results.databases(), results.contenders(), results.measurements(), results.notes());
  }
}

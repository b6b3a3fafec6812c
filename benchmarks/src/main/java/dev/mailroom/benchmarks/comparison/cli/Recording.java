package dev.mailroom.benchmarks.comparison.cli;

import dev.mailroom.benchmarks.comparison.Findings;
import dev.mailroom.benchmarks.comparison.Progress;
import dev.mailroom.benchmarks.comparison.results.Results;
import java.io.PrintWriter;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/** Measures, and notes when it was, on what, and how long it took. */
final class Recording {
  /** What is recorded. */
  interface Work {
    Findings run(Progress progress) throws Exception;
  }

  private Recording() {}

  static Results of(Work work, boolean quick, PrintWriter console) throws Exception {
    String started = Instant.now().truncatedTo(ChronoUnit.SECONDS).toString();
    ConsoleProgress progress = new ConsoleProgress(console);
    Findings findings = work.run(progress);
    return new Results(
        started,
        progress.elapsed().toSeconds(),
        quick,
        ThisMachine.facts(),
        findings.databases(),
        findings.contenders(),
        findings.measurements(),
        findings.notes());
  }
}

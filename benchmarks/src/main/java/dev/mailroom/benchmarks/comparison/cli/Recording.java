package dev.mailroom.benchmarks.comparison.cli;

import dev.mailroom.benchmarks.comparison.Findings;
import dev.mailroom.benchmarks.comparison.Progress;
import dev.mailroom.benchmarks.comparison.results.MachineFacts;
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
    MachineFacts machine = ThisMachine.facts();
    if (machine.isTooBusy()) {
      console.printf(
          "Others use %.0f %% of the processors: the figures will not be worth much.%n",
          machine.busy() * 100);
    }
    ConsoleProgress progress = new ConsoleProgress(console);
    Findings findings = work.run(progress);
    return new Results(
        started,
        progress.elapsed().toSeconds(),
        quick,
        machine,
        findings.databases(),
        findings.contenders(),
        findings.measurements(),
        findings.notes());
  }
}

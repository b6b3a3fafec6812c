package dev.mailroom.benchmarks.comparison.cli;

import dev.mailroom.benchmarks.comparison.Comparison;
import dev.mailroom.benchmarks.comparison.report.ConsoleReport;
import dev.mailroom.benchmarks.comparison.report.Publication;
import dev.mailroom.benchmarks.comparison.results.Results;
import dev.mailroom.benchmarks.comparison.results.ResultsFile;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

@Command(
    name = "snapshot",
    description = "Measures while an old snapshot is held open: a run of its own.")
final class SnapshotCommand implements Callable<Integer> {
  /** A first and a last minute are compared. */
  private static final int LEAST_MINUTES = 2;

  private final Comparison comparison;

  @Mixin HelpOption help = new HelpOption();
  @Spec @Nullable CommandSpec spec;

  @Option(
      names = "--minutes",
      description = "How long the snapshot is held, for each contender. Default: 10.")
  int minutes = 10;

  @Option(
      names = "--out",
      paramLabel = "DIR",
      description = "Where snapshot.json goes. Default: a new one, which is named.")
  @Nullable Path out;

  SnapshotCommand(Comparison comparison) {
    this.comparison = comparison;
  }

  @Override
  public Integer call() throws Exception {
    CommandLine line = Bench.lineOf(spec);
    if (minutes < LEAST_MINUTES) {
      throw new ParameterException(
          line, "--minutes " + minutes + " is too short: a first and a last one are compared.");
    }
    PrintWriter console = line.getOut();
    Results results =
        Recording.of(
            progress -> comparison.snapshot(Duration.ofMinutes(minutes), progress), false, console);
    console.println();
    console.print(ConsoleReport.of(results));
    console.println();
    Path directory = out == null ? Directories.fresh(results.started()) : out;
    Path file = directory.resolve(Publication.SNAPSHOT);
    ResultsFile.write(results, file);
    console.println("Kept in " + file);
    return results.measurements().isEmpty() ? Bench.FAILED : Bench.OK;
  }
}

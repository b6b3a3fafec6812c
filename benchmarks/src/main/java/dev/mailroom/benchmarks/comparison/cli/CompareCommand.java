package dev.mailroom.benchmarks.comparison.cli;

import dev.mailroom.benchmarks.comparison.report.Differences;
import dev.mailroom.benchmarks.comparison.results.ResultsFile;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(name = "compare", description = "Shows the ratios of two runs side by side.")
final class CompareCommand implements Callable<Integer> {
  @Mixin HelpOption help = new HelpOption();
  @Spec @Nullable CommandSpec spec;

  @Parameters(arity = "2", paramLabel = "JSON", description = "The JSON files of the two runs.")
  List<Path> files = List.of();

  @Override
  public Integer call() throws IOException {
    Differences differences =
        new Differences(ResultsFile.read(files.get(0)), ResultsFile.read(files.get(1)));
    PrintWriter console = Bench.lineOf(spec).getOut();
    console.print(differences.text());
    console.flush(); // the process ends without it
    return Bench.OK;
  }
}

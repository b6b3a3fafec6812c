package dev.mailroom.benchmarks.comparison.cli;

import dev.mailroom.benchmarks.comparison.report.Page;
import dev.mailroom.benchmarks.comparison.report.Publication;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
    name = "page",
    description = "Writes docs/benchmarks.md and its charts from the committed runs.")
final class PageCommand implements Callable<Integer> {
  @Mixin HelpOption help = new HelpOption();
  @Spec @Nullable CommandSpec spec;

  @Parameters(
      arity = "0..1",
      paramLabel = "JSON",
      description =
          "The first run; results-2.json and snapshot.json beside it count too. Default:"
              + " docs/benchmarks/results.json.")
  @Nullable Path json;

  @Option(
      names = "--docs",
      paramLabel = "DIR",
      description = "Where benchmarks.md and the directory of its charts go. Default: docs.")
  @Nullable Path docs;

  @Override
  public Integer call() throws IOException {
    Path first = json == null ? Directories.published().resolve(Publication.FIRST) : json;
    Path page = Page.write(Publication.read(first), docs == null ? Directories.docs() : docs);
    Bench.lineOf(spec).getOut().println("Written: " + page);
    return Bench.OK;
  }
}

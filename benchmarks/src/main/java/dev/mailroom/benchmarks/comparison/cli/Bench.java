package dev.mailroom.benchmarks.comparison.cli;

import dev.mailroom.benchmarks.comparison.Comparison;
import dev.mailroom.benchmarks.comparison.Selection;
import dev.mailroom.benchmarks.comparison.report.Charts;
import dev.mailroom.benchmarks.comparison.report.ConsoleReport;
import dev.mailroom.benchmarks.comparison.report.Publication;
import dev.mailroom.benchmarks.comparison.results.Names;
import dev.mailroom.benchmarks.comparison.results.Results;
import dev.mailroom.benchmarks.comparison.results.ResultsFile;
import dev.mailroom.benchmarks.comparison.workload.Workloads;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Measures Mailroom, its peers and the floor, and shows what came of it. */
@Command(
    name = "mailroom bench",
    description = "Measures Mailroom, its peers and raw SQL in one run on databases of its own.",
    footer = {"", "Exit codes: 0 done; 1 it could not be done; 2 the command line is wrong."})
public final class Bench implements Callable<Integer> {
  static final int OK = 0;
  static final int FAILED = 1;

  private final Comparison comparison;

  @Mixin HelpOption help = new HelpOption();
  @Spec @Nullable CommandSpec spec;

  @Option(
      names = "--quick",
      description = "A short run, under 3 minutes: shows that everything works.")
  boolean quick;

  @Option(
      names = "--only",
      split = ",",
      paramLabel = "WORKLOAD",
      description = "Only these workloads, separated by commas.")
  List<String> only = new ArrayList<>();

  @Option(
      names = "--contender",
      split = ",",
      paramLabel = "NAME",
      description = "Only those whose names begin so, separated by commas; and the floor.")
  List<String> contenders = new ArrayList<>();

  @Option(
      names = "--database",
      split = ",",
      paramLabel = "NAME",
      description = "Only these, separated by commas: postgresql, mariadb.")
  List<String> databases = new ArrayList<>();

  @Option(
      names = "--url",
      paramLabel = "JDBC-URL",
      description =
          "Measures on this server instead, with user and password: PostgreSQL, MariaDB or MySQL."
              + " The user must be allowed to create databases.")
  @Nullable String url;

  @Option(
      names = "--out",
      paramLabel = "DIR",
      description = "Where the JSON file and the charts go. Default: a new one, which is named.")
  @Nullable Path out;

  private Bench(Comparison comparison) {
    this.comparison = comparison;
  }

  /** Runs a command and ends the process with its exit code. */
  public static void main(String[] arguments) {
    System.exit(commandLine(new Workloads()).execute(arguments));
  }

  /** The whole command line over this comparison. */
  static CommandLine commandLine(Comparison comparison) {
    return new CommandLine(new Bench(comparison))
        .addSubcommand(new SnapshotCommand(comparison))
        .addSubcommand(new PageCommand())
        .addSubcommand(new CompareCommand())
        .setUsageHelpAutoWidth(true)
        .setExecutionExceptionHandler(
            (error, line, parsed) -> {
              explain(error, line.getErr());
              return FAILED;
            });
  }

  /** A file that cannot be read is a sentence; anything else is a defect, and needs its trace. */
  private static void explain(Exception error, PrintWriter err) {
    if (error instanceof IOException) {
      err.println(error.getMessage());
    } else {
      error.printStackTrace(err);
    }
  }

  /** Its command line, once picocli has set it. */
  static CommandLine lineOf(@Nullable CommandSpec spec) {
    if (spec == null) {
      throw new IllegalStateException("Commands are run by picocli.");
    }
    return spec.commandLine();
  }

  @Override
  public Integer call() throws Exception {
    CommandLine line = lineOf(spec);
    if (url != null) {
      databases = List.of(GivenServer.use(url, databases, line));
    }
    Selection selection = selection(line);
    PrintWriter console = line.getOut();
    Results results = Recording.of(progress -> comparison.run(selection, progress), quick, console);
    console.println();
    console.print(ConsoleReport.of(results));
    console.println();
    Path directory = out == null ? Directories.fresh(results.started()) : out;
    Path file = Publication.free(directory);
    ResultsFile.write(results, file);
    console.println("Kept in " + file);
    if (file.endsWith(Publication.FIRST)) {
      console.println("Charts: " + new Charts(results).write(directory) + " in " + directory);
    }
    return results.measurements().isEmpty() ? FAILED : OK;
  }

  private Selection selection(CommandLine line) {
    List<String> problems =
        new Choice()
            .exactly("--only", only, comparison.workloads())
            .beginning("--contender", contenders, comparison.contenders())
            .exactly("--database", databases, List.of(Names.POSTGRESQL, Names.MARIADB))
            .problems();
    if (!problems.isEmpty()) {
      throw new ParameterException(line, String.join(System.lineSeparator(), problems));
    }
    return new Selection(quick, only, contenders, databases);
  }
}

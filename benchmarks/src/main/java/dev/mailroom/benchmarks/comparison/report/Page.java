package dev.mailroom.benchmarks.comparison.report;

import dev.mailroom.benchmarks.comparison.results.ContenderFacts;
import dev.mailroom.benchmarks.comparison.results.DatabaseFacts;
import dev.mailroom.benchmarks.comparison.results.Key;
import dev.mailroom.benchmarks.comparison.results.MachineFacts;
import dev.mailroom.benchmarks.comparison.results.Measurement;
import dev.mailroom.benchmarks.comparison.results.Results;
import dev.mailroom.benchmarks.comparison.results.Role;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** The page about benchmarks: all of it follows from the runs. */
public final class Page {
  /** The file. */
  public static final String NAME = "benchmarks.md";

  /** The directory of its charts, beside it. */
  public static final String CHARTS = "benchmarks";

  private final Publication publication;
  private final Results results;
  private final Races races;
  private final Summary summary;
  private final StringBuilder text = new StringBuilder();

  private Page(Publication publication) {
    this.publication = publication;
    this.results = publication.merged();
    this.races = new Races(results);
    this.summary = new Summary(results, races);
  }

  /** Writes the page and its charts, and no others, into the directory of the documentation. */
  public static Path write(Publication publication, Path docs) throws IOException {
    Path charts = Files.createDirectories(docs.resolve(CHARTS));
    try (DirectoryStream<Path> former = Files.newDirectoryStream(charts, "*.svg")) {
      for (Path chart : former) {
        Files.delete(chart);
      }
    }
    new Charts(publication.merged()).write(charts);
    return Files.writeString(docs.resolve(NAME), of(publication));
  }

  /** Its text. */
  public static String of(Publication publication) {
    Page page = new Page(publication);
    page.opening();
    page.ratios();
    page.charts();
    page.losses();
    page.figures();
    page.stockServer();
    page.secondRuns();
    page.circumstances();
    page.promises();
    page.method();
    return page.text.toString();
  }

  private void opening() {
    add(
        """
        # Benchmarks

        Mailroom, other libraries that make jobs durable in a database, and raw SQL that does the
        least of the same (the floor), in one run on one machine with durable settings. This page
        is written by `./mailroom bench page` from the JSON files in [benchmarks](benchmarks), and
        a test holds it to them. [How to repeat it](#repeat-it); [how it was
        measured](#how-it-was-measured).
        """);
    if (results.quick()) {
      add("**This was a quick run: it shows that everything works, and proves nothing.**\n");
    }
    if (results.machine().isTooBusy()) {
      add(
          "**Others used %s of the processors when it began: the figures are not worth much.**\n"
              .formatted(Numbers.percent(results.machine().busy())));
    }
    add(
        "Measured on %s in %d minutes: %s. Servers: %s, started by the benchmark.\n"
            .formatted(
                results.started().substring(0, 10),
                Math.round(results.seconds() / 60.0),
                machine(results.machine()),
                servers()));
  }

  private String servers() {
    return results.databases().stream()
        .map(each -> Catalogue.database(each.name()) + " " + each.version())
        .collect(Collectors.joining(", "));
  }

  private void ratios() {
    add("## Ratios\n");
    add(
        """
        A share of 1 is as good as the floor, 0.5 is half as fast, or twice as late where less is
        better.
        """);
    add("### Goals\n");
    table(summary.goals());
    add("### Shares of the floor\n");
    table(summary.ofFloor());
    add("### Mailroom's multiple of each library\n");
    add("Above 1 Mailroom is better, below 1 the other one is; a dash: not measured together.\n");
    table(summary.multiples());
  }

  private void charts() {
    Map<String, Chart> charts = new Charts(races).all();
    if (!charts.isEmpty()) {
      add("## Charts\n");
      add(
          """
          Medians; the thin line goes from the lowest round to the highest. Blue is Mailroom,
          yellow are other libraries, grey is the floor.
          """);
      charts.forEach((file, chart) -> add("![%s](%s/%s)\n".formatted(chart.title(), CHARTS, file)));
    }
  }

  private void losses() {
    add("## Where Mailroom loses\n");
    add("Every goal that was missed, and every measurement in which somebody else is better.\n");
    List<Goal> missed = new Goals(races).all().stream().filter(Goal::isMissed).toList();
    if (missed.isEmpty()) {
      add("No goal that was measured is missed.\n");
    } else {
      Table table = Table.of("missed", "wanted", "seen");
      missed.forEach(goal -> table.row(goal.name(), goal.wanted(), goal.found()));
      table(table);
    }
    losses(Role.PEER, "No library is better in any measurement.");
    losses(Role.FLOOR, "The floor is better in no measurement.");
  }

  private void losses(Role role, String none) {
    List<Losses.Loss> losses = new Losses(races).to(role);
    if (losses.isEmpty()) {
      add(none + "\n");
      return;
    }
    Table table =
        Table.of("workload", "who is better", "its figure", "Mailroom's", "unit", "times");
    for (Losses.Loss loss : losses) {
      table.row(
          Catalogue.title(loss.race().key()),
          loss.winner().contender(),
          Numbers.plain(loss.winner().median()),
          Numbers.plain(loss.ours().median()),
          loss.ours().unit(),
          Numbers.times(Race.share(loss.winner(), loss.ours())));
    }
    table(table);
  }

  private void figures() {
    add("## Figures\n");
    add(
        """
        Medians of the rounds; the spread lies between the highest and the lowest round, as a share
        of the median. Setup: what did best in a small sweep over the contender's own settings.
        Rates of one machine say little about another's.
        """);
    summary
        .figuresByWorkload()
        .forEach(
            (title, figures) -> {
              add("### " + title + "\n");
              table(figures);
            });
  }

  private void stockServer() {
    publication
        .stock()
        .ifPresent(
            stock -> {
              DatabaseFacts server = stock.databases().get(0);
              add("## On a stock server\n");
              add(
                  ("Ratios of the run above (first) and of one of %s (second) on %s %s, as the"
                          + " distribution's package installs it, with all its defaults; on %s.\n")
                      .formatted(
                          stock.started().substring(0, 10),
                          Catalogue.database(server.name()),
                          server.version(),
                          machine(stock.machine())));
              add(new Differences(publication.first(), stock).markdown());
              settings(server);
            });
  }

  private void secondRuns() {
    if (publication.others().isEmpty()) {
      return;
    }
    add("## Run again\n");
    for (Results other : publication.others()) {
      add(
          "Ratios of the run above (first) and of the one of %s (second), on %s.\n"
              .formatted(other.started().substring(0, 10), machine(other.machine())));
      add(new Differences(publication.first(), other).markdown());
    }
  }

  private void circumstances() {
    add("## Machine and databases\n");
    add("- " + machine(results.machine()) + "\n- " + results.machine().java() + "\n");
    publication
        .snapshot()
        .ifPresent(
            snapshot ->
                add(
                    "The held snapshot was measured on %s, in a run of %d minutes in all: %s.\n"
                        .formatted(
                            snapshot.started().substring(0, 10),
                            Math.round(snapshot.seconds() / 60.0),
                            machine(snapshot.machine()))));
    for (DatabaseFacts database : results.databases()) {
      settings(database);
    }
  }

  private void settings(DatabaseFacts database) {
    add("%s %s:\n".formatted(Catalogue.database(database.name()), database.version()));
    Table table = Table.of("setting", "value");
    database.settings().forEach((name, value) -> table.row("`" + name + "`", "`" + value + "`"));
    table(table);
  }

  private static String machine(MachineFacts machine) {
    return "%s, %d cores, %s MiB of memory, %s, heap %s MiB, processors %s busy before"
        .formatted(
            machine.processor(),
            machine.cores(),
            machine.memory(),
            machine.system(),
            machine.heap(),
            Numbers.percent(machine.busy()));
  }

  private void promises() {
    add("## What each contender promises\n");
    add("Numbers buy different things. In their own words, shortened:\n");
    Table table = Table.of("contender", "version", "delivery", "order", "durability");
    for (ContenderFacts one : results.contenders()) {
      table.row(
          one.name(),
          one.version(),
          one.promises().delivery(),
          one.promises().order(),
          one.promises().durability());
    }
    table(table);
  }

  private void method() {
    add("## How it was measured\n");
    add(PageTexts.METHOD);
    Set<String> workloads =
        results.measurements().stream()
            .map(Measurement::key)
            .map(Key::workload)
            .collect(Collectors.toSet());
    Catalogue.known(workloads)
        .forEach(workload -> add("- **%s**: %s".formatted(workload.title(), workload.meaning())));
    if (!results.notes().isEmpty()) {
      add("\n### Notes of the run\n");
      results.notes().forEach(note -> add("- " + note));
    }
    add("\n## Repeat it\n");
    add(PageTexts.REPEAT.stripTrailing());
  }

  private void table(Table table) {
    add(table.isEmpty() ? "Nothing was measured.\n" : table.markdown());
  }

  private void add(String paragraph) {
    text.append(paragraph).append('\n');
  }
}

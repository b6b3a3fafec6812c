package dev.mailroom.benchmarks.comparison.report;

import dev.mailroom.benchmarks.comparison.results.Results;

/** What stands on the console at the end: ratios first, then the numbers themselves. */
public final class ConsoleReport {
  private ConsoleReport() {}

  /** The tables, with a line above each. */
  public static String of(Results results) {
    Summary summary = new Summary(results, new Races(results));
    StringBuilder text = new StringBuilder();
    add(text, "Goals", summary.goals());
    add(text, "Shares of the floor (1 is as good as raw SQL)", summary.ofFloor());
    add(text, "Mailroom's multiple of each peer (2 is twice as good)", summary.multiples());
    add(text, "Figures (medians; the spread is highest less lowest round)", summary.figures());
    if (!results.notes().isEmpty()) {
      text.append("Notes\n");
      results.notes().forEach(note -> text.append("- ").append(note).append('\n'));
    }
    return text.toString();
  }

  private static void add(StringBuilder text, String title, Table table) {
    if (!table.isEmpty()) {
      text.append(title).append("\n\n").append(table.text()).append('\n');
    }
  }
}

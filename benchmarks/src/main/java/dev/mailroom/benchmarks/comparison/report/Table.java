package dev.mailroom.benchmarks.comparison.report;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** Rows under headers, for the console or for a page. */
final class Table {
  private final List<String> headers;
  private final List<List<String>> rows = new ArrayList<>();

  Table(List<String> headers) {
    this.headers = List.copyOf(headers);
  }

  static Table of(String... headers) {
    return new Table(List.of(headers));
  }

  Table row(String... cells) {
    return row(List.of(cells));
  }

  Table row(List<String> cells) {
    if (cells.size() != headers.size()) {
      throw new IllegalArgumentException(cells + " do not fit under " + headers);
    }
    rows.add(List.copyOf(cells));
    return this;
  }

  boolean isEmpty() {
    return rows.isEmpty();
  }

  String markdown() {
    return markdown(headers)
        + "|"
        + "---|".repeat(headers.size())
        + "\n"
        + rows.stream().map(Table::markdown).collect(Collectors.joining());
  }

  private static String markdown(List<String> cells) {
    return cells.stream()
        .map(cell -> cell.replace("|", "\\|"))
        .collect(Collectors.joining(" | ", "| ", " |\n"));
  }

  /** In columns that are as wide as they must be. */
  String text() {
    List<List<String>> lines = new ArrayList<>();
    lines.add(headers);
    lines.addAll(rows);
    int[] widths = new int[headers.size()];
    for (List<String> line : lines) {
      for (int i = 0; i < widths.length; i++) {
        widths[i] = Math.max(widths[i], line.get(i).length());
      }
    }
    StringBuilder text = new StringBuilder();
    for (List<String> line : lines) {
      StringBuilder columns = new StringBuilder();
      for (int i = 0; i < widths.length; i++) {
        columns.append(line.get(i)).append(" ".repeat(widths[i] - line.get(i).length() + 2));
      }
      text.append(columns.toString().stripTrailing()).append('\n');
    }
    return text.toString();
  }
}

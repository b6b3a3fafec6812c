package dev.mailroom.server.cli;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;

/** How commands show what they have found. */
final class Output {
  private Output() {}

  static PrintWriter of(@Nullable CommandSpec spec) {
    if (spec == null) {
      throw new IllegalStateException("Commands are run by picocli.");
    }
    return spec.commandLine().getOut();
  }

  /** Rows of an array under these names, in columns. */
  static void table(PrintWriter out, JsonNode rows, String... names) {
    List<String[]> lines = new ArrayList<>();
    lines.add(names);
    for (JsonNode row : rows) {
      String[] line = new String[names.length];
      for (int i = 0; i < names.length; i++) {
        line[i] = row.at("/" + names[i].replace('.', '/')).asText("");
      }
      lines.add(line);
    }
    int[] widths = new int[names.length];
    for (String[] line : lines) {
      for (int i = 0; i < names.length; i++) {
        widths[i] = Math.max(widths[i], line[i].length());
      }
    }
    for (String[] line : lines) {
      StringBuilder text = new StringBuilder();
      for (int i = 0; i < names.length; i++) {
        text.append(line[i]).append(" ".repeat(widths[i] - line[i].length() + 2));
      }
      out.println(text.toString().stripTrailing());
    }
  }
}

package dev.mailroom.server.cli;

import com.fasterxml.jackson.databind.JsonNode;
import dev.mailroom.server.web.Json;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** How commands show what they have found: as text for people, or as JSON for programs. */
final class Output {
  @Spec(Spec.Target.MIXEE)
  @Nullable CommandSpec command;

  @Option(names = "--json", description = "Prints JSON.")
  boolean json;

  PrintWriter out() {
    return line().getOut();
  }

  PrintWriter err() {
    return line().getErr();
  }

  private CommandLine line() {
    if (command == null) {
      throw new IllegalStateException("Commands are run by picocli.");
    }
    return command.commandLine();
  }

  /** Prints all of it if JSON is wanted, and else what the text says of it. */
  void print(Object whole, Consumer<PrintWriter> text) {
    if (json) {
      out().println(Json.pretty(whole));
    } else {
      text.accept(out());
    }
  }

  /** Prints an answer of the API: some rows of it, and how to get the rest. */
  void page(JsonNode whole, String rows, String... columns) {
    print(
        whole,
        out -> {
          table(out, whole.path(rows), columns);
          searched(out, whole, whole.path(rows).isEmpty());
          if (whole.hasNonNull("next")) {
            out.println("next: --after " + whole.path("next").asText());
          }
        });
  }

  /** How far a search has come, where it has not found all that was asked for. */
  private static void searched(PrintWriter out, JsonNode whole, boolean isEmpty) {
    JsonNode searched = whole.path("searched");
    if (searched.isMissingNode()) {
      return;
    }
    if (searched.path("complete").asBoolean()) {
      out.print(isEmpty ? "Nothing found; every message was looked at.\n" : "");
    } else {
      out.printf(
          "%s down to message %s%s; older ones were not looked at yet.%n",
          isEmpty ? "Nothing found yet," : "Searched",
          searched.path("downToId").asText(),
          searched.has("downTo") ? " of " + searched.path("downTo").asText() : "");
    }
  }

  /** Rows of an array under these names, in columns. */
  private static void table(PrintWriter out, JsonNode rows, String... names) {
    List<String[]> lines = new ArrayList<>();
    lines.add(names);
    for (JsonNode row : rows) {
      String[] line = new String[names.length];
      for (int i = 0; i < names.length; i++) {
        String text = row.at("/" + names[i].replace('.', '/')).asText("");
        line[i] = text.replaceAll("\\p{Cntrl}+", " "); // others have written it
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

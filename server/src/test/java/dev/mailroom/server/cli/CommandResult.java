package dev.mailroom.server.cli;

import com.fasterxml.jackson.databind.JsonNode;
import dev.mailroom.server.web.Json;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;

/** What a command has printed, and its exit code. */
record CommandResult(int code, String out, String err) {

  /** Runs a command where there is no terminal. */
  static CommandResult of(String... arguments) {
    return at(new Scripted(false, null), arguments);
  }

  /** Runs a command at a terminal. */
  static CommandResult at(Terminal terminal, String... arguments) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    CommandLine line =
        Main.commandLine(terminal).setOut(new PrintWriter(out)).setErr(new PrintWriter(err));
    int code = line.execute(arguments);
    return new CommandResult(code, out.toString(), err.toString());
  }

  JsonNode json() {
    try {
      return Json.tree(out.getBytes(StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new AssertionError(out, e);
    }
  }

  /** A terminal at which one answer is given to whatever is asked. */
  static final class Scripted implements Terminal {
    private final boolean interactive;
    private final @Nullable String answer;
    private String asked = "";

    Scripted(boolean interactive, @Nullable String answer) {
      this.interactive = interactive;
      this.answer = answer;
    }

    @Override
    public boolean isInteractive() {
      return interactive;
    }

    @Override
    public @Nullable String ask(String question) {
      asked = question;
      return answer;
    }

    String asked() {
      return asked;
    }
  }
}

package dev.mailroom.databases;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Runs programs that end by themselves. */
final class ProgramRunner {
  private static final Duration LIMIT = Duration.ofMinutes(1);
  private static final Path NO_INPUT = Path.of("/dev/null");

  private ProgramRunner() {}

  /** Runs it to its end; a failure is an exception that holds what the program had to say. */
  static void run(List<String> command, Path directory) {
    run(command, directory, NO_INPUT);
  }

  static void run(List<String> command, Path directory, Path input) {
    Path output = Workspace.current().newDirectory("output").resolve("text");
    try {
      Process process =
          new ProcessBuilder(command)
              .directory(directory.toFile())
              .redirectInput(input.toFile())
              .redirectErrorStream(true)
              .redirectOutput(Redirect.to(new File(output.toString())))
              .start();
      if (!process.waitFor(LIMIT.toSeconds(), TimeUnit.SECONDS)) {
        process.destroyForcibly();
        throw failure(command, "took longer than " + LIMIT, output);
      }
      if (process.exitValue() != 0) {
        throw failure(command, "ended with " + process.exitValue(), output);
      }
    } catch (IOException e) {
      throw new UncheckedIOException("Cannot run " + command, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("Interrupted while running " + command, e);
    }
  }

  private static IllegalStateException failure(List<String> command, String what, Path output)
      throws IOException {
    return new IllegalStateException(
        "%s %s:%n%s".formatted(String.join(" ", command), what, Files.readString(output)));
  }
}

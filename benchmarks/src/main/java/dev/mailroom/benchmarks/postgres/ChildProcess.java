package dev.mailroom.benchmarks.postgres;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** A program of the benchmarks in a JVM of its own, which says a number for each thing it does. */
final class ChildProcess {
  private ChildProcess() {}

  /**
   * Runs it until it ends.
   *
   * @param main takes the URL of a database, and how many numbers to print
   */
  static long[] run(Class<?> main, String url, int count) throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(
                List.of(
                    Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                    "-Xmx256m",
                    "-Dorg.slf4j.simpleLogger.defaultLogLevel=error",
                    "-cp",
                    System.getProperty("java.class.path"),
                    main.getName(),
                    url,
                    "" + count))
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    try (BufferedReader lines = process.inputReader()) {
      long[] numbers = lines.lines().mapToLong(Long::parseLong).toArray();
      if (process.waitFor() != 0 || numbers.length != count) {
        throw new IllegalStateException("The other process failed: see above");
      }
      return numbers;
    } finally {
      process.destroy();
    }
  }
}

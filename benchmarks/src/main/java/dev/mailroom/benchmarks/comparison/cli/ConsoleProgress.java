package dev.mailroom.benchmarks.comparison.cli;

import dev.mailroom.benchmarks.comparison.Progress;
import java.io.PrintWriter;
import java.time.Duration;

/** Writes what is being done to the console, each line with the time that has passed. */
final class ConsoleProgress implements Progress {
  private final PrintWriter out;
  private final long began = System.nanoTime();
  private String total = "";

  ConsoleProgress(PrintWriter out) {
    this.out = out;
  }

  @Override
  public synchronized void expects(Duration expected) {
    total = " of about " + minutes(expected);
    says("about " + minutes(expected) + " minutes in all");
  }

  @Override
  public synchronized void says(String line) {
    out.println("[" + minutes(elapsed()) + total + "] " + line);
    out.flush();
  }

  Duration elapsed() {
    return Duration.ofNanos(System.nanoTime() - began);
  }

  private static String minutes(Duration duration) {
    return "%02d:%02d".formatted(duration.toMinutes(), duration.toSecondsPart());
  }
}

package dev.mailroom.databases;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** A running server, whose output tells when it is ready. */
final class ServerProcess {
  private static final Duration LIMIT = Duration.ofMinutes(1);
  private static final int KEPT_LINES = 50;

  private final List<String> command;
  private final Path directory;
  private final String readySign;
  private final CompletableFuture<Process> ready = new CompletableFuture<>();
  private final Deque<String> output = new ArrayDeque<>();
  private volatile @Nullable Process process;
  private volatile boolean givenUp;

  private ServerProcess(List<String> command, Path directory, String readySign) {
    this.command = command;
    this.directory = directory;
    this.readySign = readySign;
  }

  /**
   * Starts a server and waits until it is ready.
   *
   * @param readySign a part of the line that says so
   * @throws StartFailedException with the last lines of its output if it ends before
   */
  static Process start(List<String> command, Path directory, String readySign) {
    ServerProcess server = new ServerProcess(command, directory, readySign);
    // This thread lives as long as the server, because its end would be the server's end.
    Thread thread = new Thread(server::run, "mailroom-databases-output");
    thread.setDaemon(true);
    thread.start();
    return server.awaitReady();
  }

  /** Waits for the end of a server that was told to stop, and insists after a minute. */
  static void awaitEnd(Process process) {
    try {
      if (!process.waitFor(LIMIT.toSeconds(), TimeUnit.SECONDS)) {
        process.destroyForcibly().waitFor();
      }
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
  }

  private void run() {
    try {
      Process started =
          new ProcessBuilder(command)
              .directory(directory.toFile())
              .redirectErrorStream(true)
              .start();
      process = started;
      if (givenUp) {
        started.destroyForcibly();
      }
      read(started);
    } catch (IOException e) {
      ready.completeExceptionally(new StartFailedException(command, e.toString()));
    }
  }

  private void read(Process started) throws IOException {
    try (BufferedReader reader = started.inputReader()) {
      for (String line = reader.readLine(); line != null; line = reader.readLine()) {
        if (output.size() == KEPT_LINES) {
          output.removeFirst();
        }
        output.addLast(line);
        if (line.contains(readySign)) {
          ready.complete(started);
        }
      }
    }
    ready.completeExceptionally(new StartFailedException(command, String.join("\n", output)));
  }

  private Process awaitReady() {
    try {
      return ready.get(LIMIT.toSeconds(), TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      throw (StartFailedException) e.getCause();
    } catch (TimeoutException e) {
      throw giveUp(new StartFailedException(command, "not ready after " + LIMIT));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw giveUp(new StartFailedException(command, "interrupted"));
    }
  }

  private StartFailedException giveUp(StartFailedException reason) {
    // The thread that starts the process looks at these two in the opposite order.
    givenUp = true;
    Process started = process;
    if (started != null) {
      started.destroyForcibly();
    }
    return reason;
  }

  /** A server that did not get ready. */
  static final class StartFailedException extends IllegalStateException {
    private static final long serialVersionUID = 1;

    StartFailedException(List<String> command, String output) {
      super("%s did not start:%n%s".formatted(String.join(" ", command), output));
    }

    boolean isBecauseOfThePort() {
      return String.valueOf(getMessage()).contains("Address already in use");
    }
  }
}

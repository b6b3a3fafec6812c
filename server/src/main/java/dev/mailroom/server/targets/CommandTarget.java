package dev.mailroom.server.targets;

import dev.mailroom.Message;
import dev.mailroom.Result;
import dev.mailroom.spi.Limits;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Runs a program for each message: the payload on its standard input, everything else in its
 * environment. It succeeds with exit code 0. Whatever else it does, it ends: after the timeout it
 * is killed, with all that it has started.
 */
final class CommandTarget implements Target {
  /** How much of what a program says is kept, for the reason of a failure. */
  private static final int OUTPUT = 2_000;

  /** How long a program's pipe is read when it has ended: what it said lies there already. */
  private static final Duration LAST_WORDS = Duration.ofSeconds(1);

  private static final String PREFIX = "MAILROOM_";

  private final List<String> command;
  private final Duration timeout;
  private final Path directory;
  private final Set<String> withheld;
  private final ExecutorService readers =
      Executors.newCachedThreadPool(
          work -> {
            Thread thread = new Thread(work, "mailroom-command-output");
            thread.setDaemon(true);
            return thread;
          });

  /**
   * Knows what to run.
   *
   * @param directory where it runs
   * @param withheld environment variables that it must not inherit, because they hold secrets
   */
  CommandTarget(List<String> command, Duration timeout, Path directory, Set<String> withheld) {
    this.command = List.copyOf(command);
    this.timeout = timeout;
    this.directory = directory;
    this.withheld = Set.copyOf(withheld);
  }

  @Override
  public Result deliver(Message message, int attempt) throws InterruptedException {
    Process process;
    try {
      process = builder(message, attempt).start();
    } catch (IOException e) {
      return Result.failed("The program could not be started: " + e.getMessage());
    }
    try {
      return run(process, message.envelope().payload().bytes());
    } finally {
      end(process);
    }
  }

  private Result run(Process process, byte[] payload) throws InterruptedException {
    CompletableFuture<String> output =
        CompletableFuture.supplyAsync(() -> read(process.getInputStream()), readers);
    // A program need not read what it is given, so that is no reason to wait either.
    CompletableFuture<Void> input =
        CompletableFuture.runAsync(() -> write(process.getOutputStream(), payload), readers);
    if (!process.waitFor(timeout.toMillis(), TimeUnit.MILLISECONDS)) {
      end(process);
      return Result.failed("The program took longer than " + timeout + " and was killed.");
    }
    int code = process.exitValue();
    if (code == 0) {
      input.cancel(false);
      return Result.success();
    }
    awaitOutput(output);
    end(process);
    return Result.failed("The program ended with exit code " + code + ": " + output.join().strip());
  }

  /** Ending a process closes its pipe, read or not; but something it left may hold that open. */
  private static void awaitOutput(CompletableFuture<String> output) throws InterruptedException {
    try {
      output.get(LAST_WORDS.toMillis(), TimeUnit.MILLISECONDS);
    } catch (ExecutionException | TimeoutException e) {
      // What was read until now is told.
    }
  }

  private ProcessBuilder builder(Message message, int attempt) {
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.directory(directory.toFile());
    Map<String, String> environment = builder.environment();
    environment.keySet().removeIf(name -> name.startsWith(PREFIX) || withheld.contains(name));
    put(environment, "MESSAGE_ID", message.id().toString());
    put(environment, "INBOX", message.channel());
    put(environment, "CONTRACT", message.contract().name());
    put(environment, "CONTRACT_VERSION", String.valueOf(message.contract().version()));
    put(environment, "CONTENT_TYPE", message.envelope().payload().contentType());
    put(environment, "ATTEMPT", String.valueOf(attempt));
    put(environment, "TENANT", message.routing().tenant());
    put(environment, "GROUP", message.routing().groupKey());
    put(environment, "CREATED_AT", message.timing().createdAt().toString());
    message
        .envelope()
        .headers()
        .forEach((name, value) -> put(environment, "HEADER_" + variable(name), value));
    return builder;
  }

  private static String variable(String header) {
    return header
        .toUpperCase(Locale.ROOT)
        .replaceFirst("^MAILROOM-", "")
        .replaceAll("[^A-Z0-9]", "_");
  }

  private static void put(Map<String, String> environment, String name, @Nullable String value) {
    if (value != null && value.indexOf('\0') < 0) {
      environment.put(PREFIX + name, value);
    }
  }

  private static void write(OutputStream to, byte[] payload) {
    try (to) {
      to.write(payload);
    } catch (IOException e) {
      // It ended, or closed its input, without reading all of it: its exit code says if that is
      // bad.
    }
  }

  /** Keeps the beginning and reads the rest, so that nothing waits for a full pipe. */
  private static String read(InputStream from) {
    byte[] kept = new byte[OUTPUT];
    int length = 0;
    byte[] rest = new byte[4_096];
    try (from) {
      int count;
      while ((count = from.read(rest)) >= 0) {
        int more = Math.min(count, OUTPUT - length);
        System.arraycopy(rest, 0, kept, length, more);
        length += more;
      }
    } catch (IOException e) {
      // The pipe is closed when the program is killed; what was read is kept.
    }
    return Limits.cut(new String(kept, 0, length, StandardCharsets.UTF_8), OUTPUT);
  }

  /** Also what it left running: that could hold the pipe open for ever. */
  private static void end(Process process) {
    process.descendants().forEach(ProcessHandle::destroyForcibly);
    process.destroyForcibly();
  }

  @Override
  public void close() {
    readers.shutdownNow();
  }
}

package dev.mailroom.server.targets;

import dev.mailroom.Result;
import dev.mailroom.messages.Message;
import dev.mailroom.server.config.Units;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;

/**
 * Runs a program for each message: the payload on its standard input, everything else in its
 * environment. It succeeds with exit code 0. After the timeout it is killed. The children of a
 * program that fails or is killed are killed too, as far as they were seen; children of a program
 * that succeeds keep running.
 */
final class CommandTarget implements DeliveryTarget {
  private static final String PREFIX = "MAILROOM_";

  private final List<String> command;
  private final Duration timeout;
  private final Path directory;
  private final Set<String> withheld;
  private final ExecutorService writers =
      Executors.newCachedThreadPool(
          work -> {
            Thread thread = new Thread(work, "mailroom-command-input");
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
  public DeliveryResult deliver(Message message, int attempt) throws InterruptedException {
    Process process;
    try {
      process = builder(message, attempt).start();
    } catch (IOException e) {
      return DeliveryResult.unavailable(
          Result.fail("The program could not be started: " + e.getMessage()));
    }
    try (RunningProgram program = new RunningProgram(process)) {
      // A program need not read what it is given, so that is no reason to wait.
      byte[] payload = message.envelope().payload().bytes();
      writers.execute(() -> write(process.getOutputStream(), payload));
      if (!program.await(timeout)) {
        return DeliveryResult.unavailable(
            Result.fail(
                "The program took longer than " + Units.shown(timeout) + " and was killed."));
      }
      int code = process.exitValue();
      return DeliveryResult.available(
          code == 0
              ? Result.success()
              : Result.fail(
                  "The program ended with exit code " + code + ": " + program.firstOutput()));
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

  @Override
  public void close() {
    writers.shutdownNow();
  }
}

package dev.mailroom.server.process;

import dev.mailroom.server.cli.Main;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A server in a process of its own, started by its command line. */
final class ServerProcess implements AutoCloseable {
  private static final Pattern LISTENS = Pattern.compile("Mailroom listens on (http://[^;]+);");
  private static final long PATIENCE_SECONDS = 120;

  private final Process process;
  private final BlockingQueue<String> lines = new LinkedBlockingQueue<>();
  private final List<String> seen = new ArrayList<>();
  private final Thread reader;

  private ServerProcess(Process process) {
    this.process = process;
    this.reader = new Thread(this::read, "server-output");
    reader.setDaemon(true);
    reader.start();
  }

  /** Starts a command in a directory. */
  static ServerProcess start(Path directory, String... arguments) {
    List<String> command = new ArrayList<>();
    String home = System.getProperty("java.home");
    command.add(home + File.separator + "bin" + File.separator + "java");
    command.add("-Xmx256m");
    command.add(Main.class.getName());
    command.addAll(List.of(arguments));
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.directory(directory.toFile());
    builder.environment().put("CLASSPATH", System.getProperty("java.class.path"));
    try {
      return new ServerProcess(builder.start());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void read() {
    try (BufferedReader output =
        new BufferedReader(
            new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
      String line;
      while ((line = output.readLine()) != null) {
        lines.add(line);
      }
    } catch (IOException e) {
      // The process was killed; what it has said is there.
    }
  }

  /** Waits for the line that says where it listens. */
  URI awaitListening() throws InterruptedException {
    return URI.create(await(LISTENS).group(1));
  }

  /** Waits for a line, and answers what was found in it. */
  Matcher await(Pattern pattern) throws InterruptedException {
    while (true) {
      String line = lines.poll(PATIENCE_SECONDS, TimeUnit.SECONDS);
      if (line == null) {
        throw new AssertionError("No line has " + pattern + ": " + seen);
      }
      seen.add(line);
      Matcher matcher = pattern.matcher(line);
      if (matcher.find()) {
        return matcher;
      }
    }
  }

  /** As {@code kill} does: SIGTERM. By its handle, since the process itself closes its output. */
  void terminate() {
    process.toHandle().destroy();
  }

  /** As {@code kill -9} does, and returns when it is gone. */
  void kill() throws InterruptedException {
    process.destroyForcibly();
    awaitExit();
  }

  int awaitExit() throws InterruptedException {
    if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
      throw new AssertionError("It does not end: " + seen);
    }
    reader.join();
    return process.exitValue();
  }

  /** Everything that it has said, once it has ended. */
  List<String> output() {
    lines.drainTo(seen);
    return seen;
  }

  @Override
  public void close() {
    process.destroyForcibly();
    process.onExit().join();
  }
}

package dev.mailroom.databases;

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * A JVM of its own that runs a main class of a test. It lives until it is killed, told to stop, or
 * orphaned: its standard input is its life line.
 */
public final class ChildJvm implements AutoCloseable {
  private static final String SIGN = "@@ ";
  private static final String STOP = "stop";
  private static final String READY = "ready";
  private static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final int KEPT_LINES = 200;

  private final Process process;
  private final CountDownLatch ready = new CountDownLatch(1);
  private final Deque<String> output = new ArrayDeque<>();
  private final List<String> signs = new ArrayList<>();
  private final Thread reader;

  private ChildJvm(Process process) {
    this.process = process;
    this.reader = new Thread(this::read, "output of process " + process.pid());
  }

  /** Starts a JVM with that much heap; returns at once. */
  public static ChildJvm start(Class<?> main, int megabytes, String... arguments) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("-Xmx" + megabytes + "m");
    command.add("-XX:TieredStopAtLevel=1"); // starts fast, and leaves the other JVMs a processor
    command.add("-XX:+UseSerialGC");
    command.add("-XX:+ExitOnOutOfMemoryError");
    command.add("-Dorg.slf4j.simpleLogger.defaultLogLevel=warn");
    command.add(main.getName());
    command.addAll(List.of(arguments));
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().put("CLASSPATH", System.getProperty("java.class.path"));
    try {
      ChildJvm child = new ChildJvm(builder.start());
      child.reader.setDaemon(true);
      child.reader.start();
      return child;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** In the child: tells the parent something. */
  public static void say(String sign) {
    System.out.println(SIGN + sign);
  }

  /** In the child: tells the parent that it works, and lives on until it is told to stop. */
  public static void serve() {
    say(READY);
    BufferedReader in =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    try {
      if (!STOP.equals(in.readLine())) {
        Runtime.getRuntime().halt(1); // orphaned
      }
    } catch (IOException e) {
      Runtime.getRuntime().halt(2);
    }
  }

  /** In the child: ends it when the parent does, whatever else it is doing. */
  public static void endWithParent() {
    Thread lifeLine = new Thread(ChildJvm::watch, "life line");
    lifeLine.setDaemon(true);
    lifeLine.start();
  }

  private static void watch() {
    try {
      int end = 0;
      while (end >= 0) {
        end = System.in.read();
      }
    } catch (IOException e) {
      // As good as its end.
    }
    Runtime.getRuntime().halt(1);
  }

  private void read() {
    try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8)) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        take(line);
      }
    } catch (IOException e) {
      // The process was killed, and its pipe with it.
    } finally {
      ready.countDown();
    }
  }

  private synchronized void take(String line) {
    output.add(line);
    if (output.size() > KEPT_LINES) {
      output.remove();
    }
    if (line.startsWith(SIGN)) {
      signs.add(line.substring(SIGN.length()));
      ready.countDown();
    }
  }

  /** Waits until it works. */
  public ChildJvm awaitReady() throws InterruptedException {
    if (!ready.await(PATIENCE.toMillis(), TimeUnit.MILLISECONDS) || signs().isEmpty()) {
      throw new AssertionError("The process did not come up:\n" + output());
    }
    return this;
  }

  /** What it has told so far. */
  public synchronized List<String> signs() {
    return List.copyOf(signs);
  }

  /** The last lines it has written. */
  public synchronized String output() {
    return String.join("\n", output);
  }

  /** Ends it as {@code kill -9} does, and waits for its end. */
  public void kill() throws InterruptedException {
    process.destroyForcibly().waitFor();
  }

  /** Lets it finish what it does; fails if it does not end well. */
  public void stop() throws InterruptedException, IOException {
    try (BufferedWriter order =
        new BufferedWriter(
            new OutputStreamWriter(process.getOutputStream(), StandardCharsets.UTF_8))) {
      order.write(STOP + "\n");
      order.flush();
      requireGoodEnd(PATIENCE);
    }
  }

  /** Waits until it ends by itself; fails if it does not end well, or not in time. */
  public void requireGoodEnd(Duration patience) throws InterruptedException {
    if (!process.waitFor(patience.toMillis(), TimeUnit.MILLISECONDS) || process.exitValue() != 0) {
      throw new AssertionError("The process did not end well:\n" + output());
    }
    reader.join();
  }

  /** Whatever has become of it, it is gone after this. */
  @Override
  public void close() {
    try {
      kill();
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}

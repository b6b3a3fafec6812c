package dev.mailroom.benchmarks.postgres;

import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * The processor time that this JVM and the server have used, in nanoseconds. Where both are busy it
 * says more than the clock on the wall, which also counts what the rest of the machine does.
 *
 * @param here of this JVM, without its compiler
 * @param compiler of this JVM's compiler, which a process that runs for long pays only once
 * @param server of each of the server's processes; empty where the system does not tell
 */
public record ProcessorTime(long here, long compiler, Map<Long, Long> server) {
  /** Of nothing yet. */
  public static final ProcessorTime NONE = new ProcessorTime(0, 0, Map.of());

  static ProcessorTime now(BenchDatabase database) throws SQLException {
    return now(database.processes());
  }

  /** Of this JVM and of the server's processes with these numbers, from the start of each. */
  public static ProcessorTime now(List<Long> processes) {
    OperatingSystemMXBean system = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
    Map<Long, Long> server = new HashMap<>();
    for (long process : processes) {
      server.put(process, used(Path.of("/proc/" + process)));
    }
    long compiler = compilerTime();
    return new ProcessorTime(system.getProcessCpuTime() - compiler, compiler, server);
  }

  private static long compilerTime() {
    Path threads = Path.of("/proc/self/task");
    if (!Files.exists(threads)) {
      return 0;
    }
    try (Stream<Path> all = Files.list(threads)) {
      return all.filter(ProcessorTime::compiles).mapToLong(ProcessorTime::used).sum();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static boolean compiles(Path thread) {
    try {
      return Files.readString(thread.resolve("comm")).matches("C[12] Compiler.*\\s*");
    } catch (IOException e) {
      return false; // gone meanwhile
    }
  }

  private static long used(Path task) {
    try {
      String text = Files.readString(task.resolve("schedstat"));
      return Long.parseLong(text.substring(0, text.indexOf(' ')));
    } catch (IOException e) {
      return 0; // gone meanwhile, or not to be seen
    }
  }

  /** What the server has used since then, in all processes that were there before. */
  public long serverSince(ProcessorTime earlier) {
    long sum = 0;
    for (Map.Entry<Long, Long> each : server.entrySet()) {
      sum += each.getValue() - earlier.server.getOrDefault(each.getKey(), each.getValue());
    }
    return sum;
  }
}

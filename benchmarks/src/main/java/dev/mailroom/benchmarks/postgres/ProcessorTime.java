package dev.mailroom.benchmarks.postgres;

import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.Map;

/**
 * The processor time that this JVM and the server have used, in nanoseconds. Where both are busy it
 * says more than the clock on the wall, which also counts what the rest of the machine does.
 *
 * @param here of this JVM
 * @param server of each of the server's processes; empty where the system does not tell
 */
record ProcessorTime(long here, Map<Long, Long> server) {

  static ProcessorTime now(BenchDatabase database) throws SQLException {
    OperatingSystemMXBean system = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
    Map<Long, Long> server = new HashMap<>();
    for (long process : database.processes()) {
      try {
        String text = Files.readString(Path.of("/proc/" + process + "/schedstat"));
        server.put(process, Long.parseLong(text.substring(0, text.indexOf(' '))));
      } catch (IOException e) {
        // gone meanwhile, or not to be seen: it counts as nothing
      }
    }
    return new ProcessorTime(system.getProcessCpuTime(), server);
  }

  /** What the server has used since then, in all processes that were there before. */
  long serverSince(ProcessorTime earlier) {
    long sum = 0;
    for (Map.Entry<Long, Long> each : server.entrySet()) {
      sum += each.getValue() - earlier.server.getOrDefault(each.getKey(), each.getValue());
    }
    return sum;
  }
}

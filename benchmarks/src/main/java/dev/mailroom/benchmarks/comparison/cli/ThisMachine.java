package dev.mailroom.benchmarks.comparison.cli;

import com.sun.management.OperatingSystemMXBean;
import dev.mailroom.benchmarks.comparison.results.MachineFacts;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.stream.Stream;

/** Looks at what the comparison runs on. */
final class ThisMachine {
  private static final Path PROCESSORS = Path.of("/proc/cpuinfo");

  private static final Duration LOOK = Duration.ofMillis(500);

  private ThisMachine() {}

  /** Looks at it for a moment, during which nothing of ours should run. */
  static MachineFacts facts() throws InterruptedException {
    OperatingSystemMXBean system = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
    system.getCpuLoad(); // what it answers is the share since the call before
    Thread.sleep(LOOK.toMillis());
    double busy = Math.max(0, system.getCpuLoad());
    return new MachineFacts(
        processor(),
        system.getAvailableProcessors(),
        system.getTotalMemorySize() >> 20,
        system.getName() + " " + system.getVersion(),
        "Java " + Runtime.version(),
        Runtime.getRuntime().maxMemory() >> 20,
        busy);
  }

  private static String processor() {
    if (Files.isReadable(PROCESSORS)) {
      try (Stream<String> lines = Files.lines(PROCESSORS)) {
        return lines
            .filter(line -> line.startsWith("model name"))
            .map(line -> line.substring(line.indexOf(':') + 1).strip())
            .findFirst()
            .orElseGet(ThisMachine::architecture);
      } catch (IOException e) {
        return architecture();
      }
    }
    return architecture();
  }

  private static String architecture() {
    return System.getProperty("os.arch", "an unknown processor");
  }
}

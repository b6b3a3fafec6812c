package dev.mailroom.benchmarks.comparison.workload;

import java.lang.management.ManagementFactory;
import java.lang.management.MemoryMXBean;

/** The heap of this JVM. */
final class Heap {
  private static final double MEBIBYTE = 1 << 20;
  private static final int LOOKS = 3;

  private Heap() {}

  /** What is in use after a collection, in MiB; the least of some looks, since work goes on. */
  static double used() {
    MemoryMXBean memory = ManagementFactory.getMemoryMXBean();
    double least = Double.MAX_VALUE;
    for (int i = 0; i < LOOKS; i++) {
      System.gc();
      least = Math.min(least, memory.getHeapMemoryUsage().getUsed() / MEBIBYTE);
    }
    return least;
  }
}

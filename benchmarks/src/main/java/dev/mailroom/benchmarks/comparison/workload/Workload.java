package dev.mailroom.benchmarks.comparison.workload;

import java.util.List;

/**
 * One thing that contenders are put through, in all its variants.
 *
 * @param names the workloads of the results that it gives
 * @param part adds its measurements to the session
 */
record Workload(List<String> names, Part part) {

  /** Runs it. */
  interface Part {
    /** On the databases that are wanted. */
    void run(Session session) throws Exception;
  }

  /** Whether one of its results is among those that are wanted; nothing means all. */
  boolean isWanted(List<String> wanted) {
    return wanted.isEmpty() || names.stream().anyMatch(wanted::contains);
  }
}

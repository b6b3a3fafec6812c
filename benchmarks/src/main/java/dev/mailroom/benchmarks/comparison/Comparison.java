package dev.mailroom.benchmarks.comparison;

import java.time.Duration;
import java.util.List;

/** All workloads over all contenders. */
public interface Comparison {
  /** The workloads that {@link #run} knows, in their order. */
  List<String> workloads();

  /** The contenders that {@link #run} knows. */
  List<String> contenders();

  /** Measures; what breaks is a note in the findings and does not end the run. */
  Findings run(Selection selection, Progress progress) throws Exception;

  /** Appends and handles at saturation while a snapshot is held for that long. */
  Findings snapshot(Duration held, Progress progress) throws Exception;
}

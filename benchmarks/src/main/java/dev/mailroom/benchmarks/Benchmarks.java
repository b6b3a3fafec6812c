package dev.mailroom.benchmarks;

import dev.mailroom.benchmarks.mediator.MediatorBenchmark;
import dev.mailroom.benchmarks.postgres.PostgresBenchmark;
import java.util.ArrayList;
import java.util.List;

/** Runs the parts of the benchmarks that its arguments name. */
public final class Benchmarks {
  private Benchmarks() {}

  /** Runs the named parts; without any, those that need no database. */
  public static void main(String[] arguments) throws Exception {
    List<String> parts =
        arguments.length == 0 ? InMemoryBenchmark.PARTS : List.copyOf(List.of(arguments));
    List<String> known = new ArrayList<>(InMemoryBenchmark.PARTS);
    known.addAll(MediatorBenchmark.PARTS);
    known.addAll(PostgresBenchmark.PARTS);
    if (!known.containsAll(parts)) {
      throw new IllegalArgumentException("The parts are " + known + ", not " + parts + ".");
    }
    System.out.printf(
        "Java %s, %d processors, %d MiB heap%n",
        Runtime.version(),
        Runtime.getRuntime().availableProcessors(),
        Runtime.getRuntime().maxMemory() >> 20);
    InMemoryBenchmark.run(parts);
    MediatorBenchmark.run(parts);
    PostgresBenchmark.run(parts);
  }
}

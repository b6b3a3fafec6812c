package dev.mailroom.benchmarks.mediator;

import java.util.Collection;
import java.util.List;
import java.util.Objects;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.Options;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/** Runs {@link MediatorSend} by JMH and prints its figures side by side. */
public final class MediatorBenchmark {
  /** The name of its only part. */
  public static final List<String> PARTS = List.of("mediator");

  private static final String ALLOCATED = "gc.alloc.rate.norm";

  private MediatorBenchmark() {}

  /** Runs, if it is among the parts. */
  public static void run(List<String> parts) throws RunnerException {
    if (!parts.contains("mediator")) {
      return;
    }
    Collection<RunResult> results = new Runner(options()).run();
    System.out.printf("%nA command with two pre-handlers and a post-handler%n");
    print("one type", results, "OneType");
    print("three types in turn", results, "ThreeTypes");
  }

  private static Options options() {
    return new OptionsBuilder()
        .include(MediatorSend.class.getName())
        .warmupIterations(3)
        .warmupTime(TimeValue.seconds(1))
        .measurementIterations(4)
        .measurementTime(TimeValue.seconds(1))
        .forks(2)
        .addProfiler(GCProfiler.class)
        .verbosity(VerboseMode.SILENT)
        .build();
  }

  private static void print(String name, Collection<RunResult> results, String suffix) {
    RunResult direct = find(results, "direct" + suffix);
    RunResult send = find(results, "send" + suffix);
    Result<?> time = send.getPrimaryResult();
    System.out.printf(
        "  %-20s direct %6.2f ns, send %6.2f ± %.2f ns, ratio %5.1f, %4.0f bytes a send%n",
        name,
        direct.getPrimaryResult().getScore(),
        time.getScore(),
        time.getScoreError(),
        time.getScore() / direct.getPrimaryResult().getScore(),
        Objects.requireNonNull(send.getSecondaryResults().get(ALLOCATED), ALLOCATED).getScore());
  }

  private static RunResult find(Collection<RunResult> results, String method) {
    return results.stream()
        .filter(each -> each.getPrimaryResult().getLabel().equals(method))
        .findFirst()
        .orElseThrow(() -> new IllegalStateException("JMH did not measure " + method + "."));
  }
}

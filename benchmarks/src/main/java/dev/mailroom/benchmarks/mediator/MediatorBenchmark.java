package dev.mailroom.benchmarks.mediator;

import java.util.Collection;
import java.util.List;
import java.util.Objects;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.Options;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;
import org.openjdk.jmh.util.Statistics;

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
        .warmupIterations(6)
        .warmupTime(TimeValue.milliseconds(300))
        .measurementIterations(15)
        .measurementTime(TimeValue.milliseconds(200))
        .forks(2)
        // One thread is measured, so one thread collects: no collector's threads fight for it.
        .jvmArgs("-XX:+UseSerialGC", "-Xms256m", "-Xmx256m")
        .addProfiler(GCProfiler.class)
        .verbosity(VerboseMode.SILENT)
        .build();
  }

  /** Medians, because on a machine that others use a mean says more about them. */
  private static void print(String name, Collection<RunResult> results, String suffix) {
    Statistics direct = find(results, "direct" + suffix).getPrimaryResult().getStatistics();
    RunResult send = find(results, "send" + suffix);
    Statistics times = send.getPrimaryResult().getStatistics();
    System.out.printf(
        "  %-20s direct %.1f ns (least %.1f), send %.1f ns (least %.1f), ratio %.1f, %.0f bytes%n",
        name,
        direct.getPercentile(50),
        direct.getMin(),
        times.getPercentile(50),
        times.getMin(),
        times.getPercentile(50) / direct.getPercentile(50),
        Objects.requireNonNull(send.getSecondaryResults().get(ALLOCATED), ALLOCATED).getScore());
  }

  private static RunResult find(Collection<RunResult> results, String method) {
    return results.stream()
        .filter(each -> each.getPrimaryResult().getLabel().equals(method))
        .findFirst()
        .orElseThrow(() -> new IllegalStateException("JMH did not measure " + method + "."));
  }
}

package dev.mailroom.benchmarks;

import java.util.List;

/**
 * The engine over the in-memory store, beside a bare hand-off over a queue with as many threads.
 *
 * <p>Arguments: {@code throughput}, {@code latency} or {@code growth}; without any, all three.
 */
public final class InMemoryBenchmark {
  private static final int MESSAGES = 1_000_000;
  private static final int ROUNDS = 5;
  private static final int WARM_UPS = 2;
  private static final int CONCURRENCY = 10;

  private InMemoryBenchmark() {}

  /** Runs the named parts, or all of them. */
  public static void main(String[] arguments) throws Exception {
    List<String> parts =
        arguments.length == 0 ? List.of("throughput", "latency", "growth") : List.of(arguments);
    System.out.printf(
        "Java %s, %d processors, %d MiB heap%n",
        Runtime.version(),
        Runtime.getRuntime().availableProcessors(),
        Runtime.getRuntime().maxMemory() >> 20);
    if (parts.contains("throughput")) {
      throughput();
    }
    if (parts.contains("latency")) {
      new WakeUpLatency().run();
    }
    if (parts.contains("growth")) {
      new Growth().run();
    }
  }

  private static void throughput() throws Exception {
    System.out.printf(
        "%nThroughput: %,d messages, one writer, %d handlers at once%n", MESSAGES, CONCURRENCY);
    new Rounds(ROUNDS, WARM_UPS, MESSAGES)
        .measure(
            List.of(
                new HandOff(1, CONCURRENCY),
                new InMemoryInbox(
                    new InMemoryInbox.Setup(
                        "batched, written by 100", true, 1, 100, CONCURRENCY, 0)),
                new InMemoryInbox(
                    new InMemoryInbox.Setup(
                        "single, written by 100", false, 1, 100, CONCURRENCY, 0)),
                new InMemoryInbox(
                    new InMemoryInbox.Setup(
                        "batched, written one by one", true, 1, 1, CONCURRENCY, 0)),
                new InMemoryInbox(
                    new InMemoryInbox.Setup(
                        "single, written one by one", false, 1, 1, CONCURRENCY, 0))))
        .print();
  }
}

package dev.mailroom.benchmarks;

import java.util.List;

/**
 * The engine over the in-memory store, beside a bare hand-off over a queue with as many threads.
 *
 * <p>Arguments: {@code throughput}, {@code latency} or {@code growth}; without any, all three.
 */
public final class InMemoryBenchmark {
  private static final List<String> PARTS = List.of("throughput", "latency", "growth");
  private static final int MESSAGES = 1_000_000;
  private static final int ROUNDS = 5;
  private static final int WARM_UPS = 3;
  private static final int CONCURRENCY = 10;

  private InMemoryBenchmark() {}

  /** Runs the named parts, or all of them. */
  public static void main(String[] arguments) throws Exception {
    List<String> parts = arguments.length == 0 ? PARTS : List.of(arguments);
    if (!PARTS.containsAll(parts)) {
      throw new IllegalArgumentException("The parts are " + PARTS + ", not " + parts + ".");
    }
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
    List<Contender> contenders =
        List.of(
            new HandOff(1, CONCURRENCY),
            inbox("batched, written by 500", true, 500),
            inbox("single, written by 500", false, 500),
            inbox("batched, written one by one", true, 1),
            inbox("single, written one by one", false, 1));
    new Rounds(ROUNDS, WARM_UPS, MESSAGES, contenders).measure().print();
  }

  private static Contender inbox(String name, boolean batched, int writeBatch) {
    return new InMemoryInbox(new InMemoryInbox.Setup(name, batched, 1, writeBatch, CONCURRENCY, 0));
  }
}

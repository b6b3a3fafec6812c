package dev.mailroom.benchmarks;

import java.util.List;

/**
 * The engine over the in-memory store, beside a bare hand-off over a queue with as many threads.
 */
final class InMemoryBenchmark {
  static final List<String> PARTS = List.of("throughput", "latency", "growth");
  private static final int MESSAGES = 1_000_000;
  private static final int ROUNDS = 5;
  private static final int WARM_UPS = 3;
  private static final int CONCURRENCY = 10;

  private InMemoryBenchmark() {}

  /** Runs the named parts. */
  static void run(List<String> parts) throws Exception {
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
    Rounds rounds = new Rounds(ROUNDS, WARM_UPS, MESSAGES, contenders).measure();
    System.out.printf("%n%s%n", rounds.table());
  }

  private static Contender inbox(String name, boolean batched, int writeBatch) {
    return new InMemoryInbox(new InMemoryInbox.Setup(name, batched, 1, writeBatch, CONCURRENCY, 0));
  }
}

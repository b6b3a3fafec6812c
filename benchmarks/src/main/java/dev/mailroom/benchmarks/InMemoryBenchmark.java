package dev.mailroom.benchmarks;

import dev.mailroom.options.Ordering;
import java.util.List;

/**
 * The engine over the in-memory store, beside a bare hand-off over a queue with as many threads.
 */
final class InMemoryBenchmark {
  static final List<String> PARTS = List.of("throughput", "latency", "growth", "outbox");
  private static final int MESSAGES = 1_000_000;
  private static final int OUTBOX_MESSAGES = 200_000;
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
    if (parts.contains("outbox")) {
      outbox();
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

  private static void outbox() throws Exception {
    outbox("without keys", 0);
    outbox("10,000 keys", 10_000);
  }

  private static void outbox(String name, int keys) throws Exception {
    System.out.printf("%nOutbox in process, %s: a backlog of %,d%n", name, OUTBOX_MESSAGES);
    Ordering ordering = Ordering.WHEN_KEYED;
    List<InMemoryDrain> contenders =
        List.of(
            new InMemoryDrain(new InMemoryDrain.Setup("inbox, " + name, 0, false, ordering, keys)),
            new InMemoryDrain(
                new InMemoryDrain.Setup("outbox, " + name, 0.8, true, ordering, keys)));
    Rounds rounds = new Rounds(ROUNDS, WARM_UPS, OUTBOX_MESSAGES, contenders).measure();
    System.out.printf("%n%s%n", rounds.table());
  }
}

package dev.mailroom.examples;

import dev.mailroom.Batch;
import dev.mailroom.BatchResult;
import dev.mailroom.Delivery;
import dev.mailroom.Mailroom;
import dev.mailroom.MessageContract;
import dev.mailroom.Result;
import dev.mailroom.jackson.JacksonCodec;
import dev.mailroom.memory.MemoryStore;
import dev.mailroom.options.Backoff;
import dev.mailroom.options.RetryPolicy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/**
 * Many messages in one call, for work that is cheaper together: readings are saved four at a time.
 * One of them is refused at the first try, and only this one comes back.
 */
public final class BatchedInboxExample {
  private static final int READINGS = 10;
  private static final RetryPolicy SOON =
      RetryPolicy.builder().backoff(Backoff.fixed(Duration.ofMillis(50))).build();

  private final Consumer<String> out;
  private final CountDownLatch saved = new CountDownLatch(READINGS);

  BatchedInboxExample(Consumer<String> out) {
    this.out = out;
  }

  @MessageContract(name = "sensors.reading-taken")
  record ReadingTaken(int number, double celsius) {}

  /** Runs the example. */
  public static void main(String[] args) throws InterruptedException {
    new BatchedInboxExample(System.out::println).run();
  }

  void run() throws InterruptedException {
    Mailroom mailroom =
        Mailroom.builder()
            .store(MemoryStore.create())
            .codec(new JacksonCodec())
            .inbox(
                "readings",
                inbox ->
                    inbox
                        .options(options -> options.readBatch(4).concurrency(1).retry(SOON))
                        .batchHandler(ReadingTaken.class, this::save))
            .build();
    try (mailroom) {
      List<ReadingTaken> readings =
          IntStream.rangeClosed(1, READINGS).mapToObj(n -> new ReadingTaken(n, 20 + n)).toList();
      mailroom.inbox("readings").writeAll(readings);
      mailroom.start();
      Waiting.on(saved);
    }
  }

  private BatchResult save(Batch<ReadingTaken> batch) {
    BatchResult results = batch.results();
    List<Integer> together = new ArrayList<>();
    for (Delivery<ReadingTaken> delivery : batch.deliveries()) {
      int number = delivery.payload().number();
      if (number == 3 && delivery.attempt() == 1) {
        out.accept("reading 3 is refused");
        results.add(delivery, Result.fail("refused"));
      } else {
        together.add(number);
        results.add(delivery, Result.success());
      }
    }
    out.accept("saved together: " + together);
    together.forEach(number -> saved.countDown());
    return results;
  }
}

package dev.mailroom.examples;

import dev.mailroom.Batch;
import dev.mailroom.BatchResult;
import dev.mailroom.Delivery;
import dev.mailroom.Mailroom;
import dev.mailroom.MessageContract;
import dev.mailroom.Result;
import dev.mailroom.jackson.JacksonCodec;
import dev.mailroom.memory.MemoryStore;
import dev.mailroom.messages.Outgoing;
import dev.mailroom.options.Backoff;
import dev.mailroom.options.Ordering;
import dev.mailroom.options.RetryPolicy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;

/**
 * Many messages of one group in one call, in order: edits are applied to a document as a list. The
 * third edit of the plan fails at the first try; the two before it are done, it and everything
 * behind it are redelivered, in order.
 */
public final class OrderedBatchedInboxExample {
  private static final int EDITS = 5;
  private static final RetryPolicy SOON =
      RetryPolicy.builder().backoff(Backoff.fixed(Duration.ofMillis(50))).build();

  private final Consumer<String> out;
  private final CountDownLatch applied = new CountDownLatch(2 * EDITS);

  OrderedBatchedInboxExample(Consumer<String> out) {
    this.out = out;
  }

  @MessageContract(name = "documents.edit-made")
  record EditMade(int number) {}

  /** Runs the example. */
  public static void main(String[] args) throws InterruptedException {
    new OrderedBatchedInboxExample(System.out::println).run();
  }

  void run() throws InterruptedException {
    Mailroom mailroom =
        Mailroom.builder()
            .store(MemoryStore.create())
            .codec(new JacksonCodec())
            .inbox(
                "edits",
                inbox ->
                    inbox
                        .options(options -> options.ordering(Ordering.REQUIRED).retry(SOON))
                        .batchHandler(EditMade.class, this::apply))
            .build();
    try (mailroom) {
      List<Outgoing> edits = new ArrayList<>();
      for (int number = 1; number <= EDITS; number++) {
        edits.add(Outgoing.of(new EditMade(number), options -> options.groupKey("plan")));
        edits.add(Outgoing.of(new EditMade(number), options -> options.groupKey("report")));
      }
      mailroom.inbox("edits").writeAll(edits);
      mailroom.start();
      Waiting.on(applied);
    }
  }

  private BatchResult apply(Batch<EditMade> batch) {
    String document = batch.groupKey();
    out.accept(document + ": edits " + numbers(batch));
    BatchResult results = batch.results();
    for (Delivery<EditMade> delivery : batch.deliveries()) {
      int number = delivery.payload().number();
      if ("plan".equals(document) && number == 3 && delivery.attempt() == 1) {
        out.accept("plan: edit 3 failed, and what comes after it waits");
        return results.add(delivery, Result.fail("a conflict"));
      }
      results.add(delivery, Result.success());
      applied.countDown();
    }
    return results;
  }

  private static List<Integer> numbers(Batch<EditMade> batch) {
    return batch.deliveries().stream().map(delivery -> delivery.payload().number()).toList();
  }
}

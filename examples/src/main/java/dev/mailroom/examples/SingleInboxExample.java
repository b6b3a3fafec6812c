package dev.mailroom.examples;

import dev.mailroom.Delivery;
import dev.mailroom.Inbox;
import dev.mailroom.Mailroom;
import dev.mailroom.MessageContract;
import dev.mailroom.Result;
import dev.mailroom.deadletters.DeadLetter;
import dev.mailroom.deadletters.DeadLetterFilter;
import dev.mailroom.jackson.JacksonCodec;
import dev.mailroom.memory.MemoryStore;
import dev.mailroom.messages.Receipt;
import dev.mailroom.options.Backoff;
import dev.mailroom.options.RetryPolicy;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;

/**
 * One message at a time, in no particular order: the carrier is down at the first try and the
 * message is retried; an order that was written twice is stored once; an address that cannot be
 * delivered to is dead at once, and kept.
 */
public final class SingleInboxExample {
  private static final RetryPolicy SOON =
      RetryPolicy.builder().backoff(Backoff.fixed(Duration.ofMillis(50))).build();

  private final Consumer<String> out;
  private final CountDownLatch calls = new CountDownLatch(4); // three orders, one of them twice

  SingleInboxExample(Consumer<String> out) {
    this.out = out;
  }

  @MessageContract(name = "orders.order-placed")
  record OrderPlaced(String orderId, String address) {}

  /** Runs the example. */
  public static void main(String[] args) throws InterruptedException {
    new SingleInboxExample(System.out::println).run();
  }

  void run() throws InterruptedException {
    Mailroom mailroom =
        Mailroom.builder()
            .store(MemoryStore.create())
            .codec(new JacksonCodec())
            .inbox(
                "orders",
                inbox ->
                    inbox
                        .options(options -> options.concurrency(2).retry(SOON))
                        .handler(OrderPlaced.class, this::ship))
            .build();
    Inbox orders = mailroom.inbox("orders");
    try (mailroom) {
      mailroom.start();
      write(orders, new OrderPlaced("1", "Harbour Street 5"));
      write(orders, new OrderPlaced("2", "Station Road 12"));
      write(orders, new OrderPlaced("2", "Station Road 12"));
      write(orders, new OrderPlaced("3", "the moon"));
      Waiting.on(calls);
    }
    for (DeadLetter dead : orders.deadLetters().list(DeadLetterFilter.all(), 10).letters()) {
      out.accept("dead letter: " + dead.error().message());
    }
  }

  private void write(Inbox orders, OrderPlaced order) {
    Receipt receipt =
        orders.write(order, options -> options.deduplicationKey("order-" + order.orderId()));
    out.accept("order " + order.orderId() + " is written: " + receipt.status());
  }

  private Result ship(Delivery<OrderPlaced> delivery) {
    OrderPlaced order = delivery.payload();
    calls.countDown();
    if (order.address().equals("the moon")) {
      return Result.deadLetter("no carrier delivers to " + order.address());
    }
    if (order.orderId().equals("1") && delivery.attempt() == 1) {
      out.accept("order 1: the carrier is down, retry later");
      return Result.fail("the carrier is down");
    }
    out.accept(
        "order "
            + order.orderId()
            + " is shipped to "
            + order.address()
            + " (attempt "
            + delivery.attempt()
            + ")");
    return Result.success();
  }
}

package dev.mailroom.examples;

import dev.mailroom.Handler;
import dev.mailroom.Mailroom;
import dev.mailroom.MessageContract;
import dev.mailroom.Result;
import dev.mailroom.jackson.JacksonCodec;
import dev.mailroom.memory.MemoryStore;
import java.util.concurrent.CountDownLatch;

/** The shortest complete program: one message, written and handled. The README quotes it. */
public final class Quickstart {
  private Quickstart() {}

  /** Runs the program. */
  public static void main(String[] args) throws InterruptedException {
    // quickstart:begin
    @MessageContract(name = "orders.order-placed")
    record OrderPlaced(String orderId) {}

    CountDownLatch shipped = new CountDownLatch(1);
    Handler<OrderPlaced> ship =
        delivery -> {
          System.out.println("Shipping " + delivery.payload().orderId());
          shipped.countDown();
          return Result.success();
        };
    try (Mailroom mailroom =
        Mailroom.builder()
            .store(MemoryStore.create())
            .codec(new JacksonCodec())
            .inbox("orders", inbox -> inbox.handler(OrderPlaced.class, ship))
            .build()) {
      mailroom.start();
      mailroom.inbox("orders").write(new OrderPlaced("4711"));
      shipped.await();
    }
    // quickstart:end
  }
}

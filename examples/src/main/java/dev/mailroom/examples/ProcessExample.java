package dev.mailroom.examples;

import dev.mailroom.Mailroom;
import dev.mailroom.MessageContract;
import dev.mailroom.jackson.JacksonCodec;
import dev.mailroom.jdbc.JdbcStore;
import dev.mailroom.processes.MissingInstance;
import dev.mailroom.processes.Processes;
import dev.mailroom.processes.Step;
import dev.mailroom.spi.Store;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;

/**
 * An order that waits for its payment: reminded after a day, cancelled after three. Here a day is a
 * quarter of a second. Two orders are placed, one is paid, and then the application restarts.
 */
public final class ProcessExample {
  private final Consumer<String> out;
  private final Duration day;
  private final CountDownLatch shipped = new CountDownLatch(1);
  private final CountDownLatch cancelled = new CountDownLatch(1);

  ProcessExample(Consumer<String> out, Duration day) {
    this.out = out;
    this.day = day;
  }

  // messages:begin
  @MessageContract(name = "shop.order-placed")
  record OrderPlaced(String orderId) {}

  @MessageContract(name = "shop.order-paid")
  record OrderPaid(String orderId) {}

  @MessageContract(name = "shop.payment-due")
  record PaymentDue(String orderId) {}

  @MessageContract(name = "shop.payment-overdue")
  record PaymentOverdue(String orderId) {}

  @MessageContract(name = "shop.order")
  record Order(String orderId, int reminders) {}

  // messages:end

  /** Runs the example. */
  public static void main(String[] args) throws InterruptedException {
    try (JdbcStore store =
        JdbcStore.builder("jdbc:h2:mem:process;DB_CLOSE_DELAY=-1").migrateAtStart(true).build()) {
      new ProcessExample(System.out::println, Duration.ofMillis(250)).run(store);
    }
  }

  void run(Store store) throws InterruptedException {
    Processes<Order> before = orders();
    try (Mailroom mailroom = mailroom(store, before)) {
      before.send(new OrderPlaced("4711"));
      before.send(new OrderPlaced("4712"));
      before.send(new OrderPaid("4711"));
      mailroom.start(); // only now, so that no machine is too slow to pay within three short days
      Waiting.on(shipped);
    }
    out.accept("the application restarts");
    try (Mailroom mailroom = mailroom(store, orders())) {
      mailroom.start();
      Waiting.on(cancelled);
    }
  }

  // process:begin
  Processes<Order> orders() {
    return Processes.of("orders", Order.class)
        .initial(orderId -> new Order(orderId, 0))
        .starts(OrderPlaced.class, OrderPlaced::orderId, this::place)
        .on(OrderPaid.class, OrderPaid::orderId, MissingInstance.DEAD_LETTER, this::pay)
        .on(PaymentDue.class, PaymentDue::orderId, this::remind)
        .on(PaymentOverdue.class, PaymentOverdue::orderId, this::cancel)
        .acceptWeakDurability() // of H2; leave it out for a durable database
        .build();
  }

  private Order place(Step<Order> step, OrderPlaced placed) {
    step.timeout("remind", day, new PaymentDue(step.key()));
    step.timeout("cancel", day.multipliedBy(3), new PaymentOverdue(step.key()));
    return step.state();
  }

  private Order pay(Step<Order> step, OrderPaid paid) {
    step.send("mail", step.key() + " is shipped");
    step.complete(); // takes both timeouts back
    return step.state();
  }

  private Order remind(Step<Order> step, PaymentDue due) {
    step.send("mail", step.key() + " is not paid yet");
    return new Order(step.key(), step.state().reminders() + 1);
  }

  private Order cancel(Step<Order> step, PaymentOverdue overdue) {
    step.send("mail", step.key() + " is cancelled");
    step.complete();
    return step.state();
  }

  // process:end

  Mailroom mailroom(Store store, Processes<Order> orders) {
    // setup:begin
    return Mailroom.builder()
        .store(store)
        .codec(new JacksonCodec())
        .contract(String.class, "shop.mail", 1)
        .add(orders)
        .inbox("mail", inbox -> inbox.on(String.class, this::send))
        .build();
    // setup:end
  }

  private void send(String mail) {
    out.accept(mail);
    if (mail.endsWith("shipped")) {
      shipped.countDown();
    } else if (mail.endsWith("cancelled")) {
      cancelled.countDown();
    }
  }
}

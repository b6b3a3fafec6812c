package dev.mailroom.examples.shop;

import static dev.mailroom.options.AfterDeadLetter.PARK;
import static dev.mailroom.options.Ordering.WHEN_KEYED;

import com.fasterxml.jackson.databind.JsonNode;
import dev.mailroom.InboxBuilder;
import dev.mailroom.Mailroom;
import dev.mailroom.MessageContract;
import dev.mailroom.commands.CommandSchedule;
import dev.mailroom.commands.Recurrence;
import dev.mailroom.commands.RecurringCommand;
import dev.mailroom.deadletters.DeadLetterFilter;
import dev.mailroom.jackson.JacksonCodec;
import dev.mailroom.jdbc.JdbcStore;
import dev.mailroom.jdbc.JdbcTransactions;
import dev.mailroom.mediator.Command;
import dev.mailroom.mediator.Mediator;
import dev.mailroom.outbox.Outbox;
import dev.mailroom.processes.Processes;
import dev.mailroom.processes.Step;
import dev.mailroom.time.TimeSource;
import dev.mailroom.webhooks.Providers;
import dev.mailroom.webhooks.SampleWebhook;
import dev.mailroom.webhooks.Source;
import dev.mailroom.webhooks.WebhookDelivery;
import dev.mailroom.webhooks.Webhooks;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;

/** Takes orders, waits for their payment by Stripe, packs them, and recovers from failures. */
public final class Shop {
  @MessageContract(name = "shop.order-placed")
  record OrderPlaced(String order, String customer, long millisToPay) {}

  @MessageContract(name = "shop.reserve")
  record Reserve(String order) {}

  @MessageContract(name = "shop.release")
  record Release(String order) {}

  @MessageContract(name = "shop.pack")
  record Pack(String order, String customer) {}

  @MessageContract(name = "shop.order-paid")
  record OrderPaid(String order) {}

  @MessageContract(name = "shop.payment-overdue")
  record PaymentOverdue(String order) {}

  @MessageContract(name = "shop.send-invoice")
  record SendInvoice(String order) implements Command {}

  @MessageContract(name = "shop.redrive")
  record Redrive() implements Command {}

  private final Map<String, String> addresses = new ConcurrentHashMap<>();
  private final CountDownLatch reserved = new CountDownLatch(3);
  private final CountDownLatch failed = new CountDownLatch(1);
  private final CountDownLatch done = new CountDownLatch(5); // 2 invoices, 2 parcels, 1 release

  private final Processes<OrderPlaced> payments =
      Processes.of("payments", OrderPlaced.class)
          .initial(order -> new OrderPlaced(order, "", 0))
          .starts(OrderPlaced.class, OrderPlaced::order, this::reserve)
          .on(OrderPaid.class, OrderPaid::order, this::ship)
          .on(PaymentOverdue.class, PaymentOverdue::order, this::giveUp)
          .acceptWeakDurability() // of H2; leave it out for a durable database
          .build();
  private final Mediator mediator =
      Mediator.builder()
          .command(SendInvoice.class, (send, context) -> tell("Invoice for " + send.order(), done))
          .command(Redrive.class, (command, context) -> redrive())
          .build();
  private final Outbox outbox = Outbox.builder().on(OrderPlaced.class, payments::send).build();
  private final CommandSchedule commands = CommandSchedule.builder().mediator(mediator).build();
  private final Source stripe =
      Source.of("stripe", Providers.stripe()).secret("whsec_sample").build();
  private final Webhooks webhooks =
      Webhooks.builder()
          .source(stripe, events -> events.on("*", this::log).on("charge.succeeded", this::pay))
          .build();
  private final JdbcStore store = JdbcStore.builder("jdbc:h2:mem:app").migrateAtStart(true).build();
  private final JdbcTransactions transactions = new JdbcTransactions(store);
  private final Mailroom mailroom =
      Mailroom.builder()
          .store(store)
          .codec(new JacksonCodec())
          .currentTransaction(transactions)
          .inbox("warehouse", this::warehouse)
          .add(outbox)
          .add(payments)
          .add(commands)
          .add(webhooks)
          .build();

  /** Sells three orders, of which one cannot be packed at first and one is never paid. */
  public static void main(String[] args) throws Exception {
    new Shop().run();
  }

  private void run() throws Exception {
    try (store;
        mailroom) {
      mailroom.start();
      transactions.run(c -> c.createStatement().execute("CREATE TABLE orders (id VARCHAR(20))"));
      transactions.run(c -> place(c, new OrderPlaced("4711", "ann", 3_600_000)));
      transactions.run(c -> place(c, new OrderPlaced("4712", "ann", 3_600_000)));
      transactions.run(c -> place(c, new OrderPlaced("4713", "bob", 50)));
      reserved.await();
      charge("4711");
      failed.await(); // its dead letter holds up 4712
      charge("4712");
      addresses.put("ann", "1 Tea Street");
      Recurrence often = Recurrence.every(Duration.ofMillis(50));
      commands.recurring().register(RecurringCommand.of("redrive", new Redrive(), often));
      done.await();
    }
  }

  private void place(Connection connection, OrderPlaced order) throws SQLException {
    PreparedStatement insert = connection.prepareStatement("INSERT INTO orders VALUES (?)");
    insert.setString(1, order.order());
    insert.execute();
    outbox.add(order, options -> options.key(order.customer())); // commits with the row
  }

  private OrderPlaced reserve(Step<OrderPlaced> step, OrderPlaced order) {
    step.send("warehouse", new Reserve(step.key()));
    step.compensateWith("warehouse", new Release(step.key()));
    step.timeout("pay", Duration.ofMillis(order.millisToPay()), new PaymentOverdue(step.key()));
    return order;
  }

  private OrderPlaced ship(Step<OrderPlaced> step, OrderPaid paid) {
    Pack parcel = new Pack(step.key(), step.state().customer());
    step.send("warehouse", parcel, options -> options.groupKey(parcel.customer()));
    step.send(commands.message(new SendInvoice(step.key()), o -> o.delay(Duration.ofMillis(20))));
    step.complete(); // cancels the timeout
    return step.state();
  }

  private OrderPlaced giveUp(Step<OrderPlaced> step, PaymentOverdue overdue) {
    step.fail("not paid in time"); // sends the Release
    return step.state();
  }

  private void warehouse(InboxBuilder inbox) {
    inbox
        .options(o -> o.ordering(WHEN_KEYED).afterDeadLetter(PARK).retry(r -> r.attempts(1)))
        .on(Reserve.class, goods -> tell("Reserved goods for " + goods.order(), reserved))
        .on(Release.class, goods -> tell("Released goods of " + goods.order(), done))
        .on(Pack.class, this::pack);
  }

  private void pack(Pack parcel) {
    String address = addresses.get(parcel.customer());
    if (address == null) {
      tell("Cannot pack " + parcel.order(), failed);
      throw new IllegalStateException("No address of " + parcel.customer());
    }
    tell("Packed " + parcel.order() + " for " + address, done);
  }

  private void redrive() {
    long redriven = mailroom.inbox("warehouse").deadLetters().redrive(DeadLetterFilter.all());
    if (redriven > 0) {
      System.out.println("Redriven parcels: " + redriven);
    }
  }

  private void charge(String order) {
    String json =
        """
        {"id": "evt_%1$s", "type": "charge.succeeded", "data": {"object": {"description": "%1$s"}}}
        """;
    webhooks.receive(
        SampleWebhook.of(stripe).body(json.formatted(order)).at(TimeSource.system().now()));
  }

  private void log(WebhookDelivery event) {
    System.out.println("Stripe sent " + event.type() + ", " + event.eventId());
  }

  private void pay(WebhookDelivery event) {
    JsonNode body = event.payload(JsonNode.class);
    payments.send(new OrderPaid(body.at("/data/object/description").asText()));
  }

  private static void tell(String news, CountDownLatch latch) {
    System.out.println(news);
    latch.countDown();
  }
}

package dev.mailroom.examples;

// quickstart:begin
import dev.mailroom.Mailroom;
import dev.mailroom.MessageContract;
import dev.mailroom.jackson.JacksonCodec;
import dev.mailroom.jdbc.JdbcStore;
import dev.mailroom.jdbc.JdbcTransactions;
import java.util.concurrent.CountDownLatch;

/** Stores an order and a message about it in one transaction, then handles the message. */
public class Quickstart {
  @MessageContract(name = "shop.order-placed")
  record OrderPlaced(String orderId) {}

  private static final CountDownLatch SHIPPED = new CountDownLatch(1);

  /** Takes the URL of a database; by default H2 in memory. */
  public static void main(String[] args) throws Exception {
    String url = args.length > 0 ? args[0] : "jdbc:h2:mem:shop";
    try (JdbcStore store = JdbcStore.builder(url).migrateAtStart(true).build()) {
      JdbcTransactions transactions = new JdbcTransactions(store);
      Mailroom mailroom =
          Mailroom.builder()
              .store(store)
              .codec(new JacksonCodec())
              .currentTransaction(transactions)
              .inbox("orders", inbox -> inbox.on(OrderPlaced.class, Quickstart::ship))
              .build();
      try (mailroom) {
        mailroom.start();
        transactions.run(
            connection -> {
              connection.createStatement().execute("CREATE TABLE orders (id VARCHAR(20))");
              connection.createStatement().execute("INSERT INTO orders VALUES ('4711')");
              mailroom.inbox("orders").write(new OrderPlaced("4711"));
            });
        SHIPPED.await();
      }
    }
  }

  private static void ship(OrderPlaced order) {
    System.out.println("Shipping " + order.orderId());
    SHIPPED.countDown();
  }
}
// quickstart:end

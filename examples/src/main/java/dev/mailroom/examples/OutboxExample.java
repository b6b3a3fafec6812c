package dev.mailroom.examples;

import dev.mailroom.Mailroom;
import dev.mailroom.MessageContract;
import dev.mailroom.jackson.JacksonCodec;
import dev.mailroom.jdbc.JdbcStore;
import dev.mailroom.jdbc.JdbcTransactions;
import dev.mailroom.outbox.Outbox;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;

/**
 * An order and its event are recorded in one transaction: the handlers of the event hear of it
 * after the commit, and of an order that was rolled back never.
 */
public final class OutboxExample {
  private final Consumer<String> out;
  private final CountDownLatch heard = new CountDownLatch(2);

  OutboxExample(Consumer<String> out) {
    this.out = out;
  }

  @MessageContract(name = "shop.order-placed")
  record OrderPlaced(String orderId, int amount) {}

  /** Runs the example. */
  public static void main(String[] args) throws InterruptedException, SQLException {
    new OutboxExample(System.out::println).run();
  }

  void run() throws InterruptedException, SQLException {
    try (JdbcStore store =
        JdbcStore.builder("jdbc:h2:mem:shop;DB_CLOSE_DELAY=-1").migrateAtStart(true).build()) {
      run(store);
    }
  }

  private void run(JdbcStore store) throws InterruptedException, SQLException {
    JdbcTransactions transactions = new JdbcTransactions(store);
    transactions.run(OutboxExample::createTable);
    Outbox outbox = Outbox.builder().on(OrderPlaced.class, this::announce).build();
    try (Mailroom mailroom =
        Mailroom.builder()
            .store(store)
            .codec(new JacksonCodec())
            .currentTransaction(transactions)
            .add(outbox)
            .build()) {
      mailroom.start();
      transactions.run(connection -> place(connection, outbox, new OrderPlaced("4711", 20)));
      try {
        transactions.run(connection -> place(connection, outbox, new OrderPlaced("4712", -1)));
      } catch (SQLException refused) {
        out.accept("order 4712 is rolled back, and its event with it");
      }
      transactions.run(connection -> place(connection, outbox, new OrderPlaced("4713", 22)));
      Waiting.on(heard);
    }
  }

  /** Changes the state and records the event: both are committed, or neither. */
  private static void place(Connection connection, Outbox outbox, OrderPlaced order)
      throws SQLException {
    outbox.add(order, options -> options.key("shop").correlationId("cart-" + order.orderId()));
    try (PreparedStatement insert =
        connection.prepareStatement("INSERT INTO orders VALUES (?, ?)")) {
      insert.setString(1, order.orderId());
      insert.setInt(2, order.amount());
      insert.executeUpdate();
    }
  }

  private void announce(OrderPlaced order) {
    out.accept("order " + order.orderId() + " was placed");
    heard.countDown();
  }

  private static void createTable(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute("DROP TABLE IF EXISTS orders");
      statement.execute("CREATE TABLE orders (id VARCHAR(20), amount INT CHECK (amount >= 0))");
    }
  }
}

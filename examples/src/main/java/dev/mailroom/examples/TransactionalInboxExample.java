package dev.mailroom.examples;

import dev.mailroom.Delivery;
import dev.mailroom.Mailroom;
import dev.mailroom.MessageContract;
import dev.mailroom.Result;
import dev.mailroom.jackson.JacksonCodec;
import dev.mailroom.jdbc.JdbcStore;
import dev.mailroom.jdbc.JdbcTransaction;
import dev.mailroom.jdbc.JdbcTransactions;
import dev.mailroom.options.Backoff;
import dev.mailroom.options.RetryPolicy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;

/**
 * An account is credited exactly once per payment, though the handler fails after it has written:
 * what a handler writes in the transaction of its delivery is committed together with the message's
 * completion, or not at all. So is the receipt that it sends on.
 */
public final class TransactionalInboxExample {
  private static final RetryPolicy SOON =
      RetryPolicy.builder().backoff(Backoff.fixed(Duration.ofMillis(50))).build();

  private final Consumer<String> out;
  private final CountDownLatch receipts = new CountDownLatch(3);

  TransactionalInboxExample(Consumer<String> out) {
    this.out = out;
  }

  @MessageContract(name = "bank.payment")
  record Payment(String account, int amount) {}

  @MessageContract(name = "bank.receipt")
  record ReceiptSent(String account, int amount) {}

  /** Runs the example. */
  public static void main(String[] args) throws InterruptedException, SQLException {
    new TransactionalInboxExample(System.out::println).run();
  }

  void run() throws InterruptedException, SQLException {
    try (JdbcStore store =
        JdbcStore.builder("jdbc:h2:mem:bank;DB_CLOSE_DELAY=-1").migrateAtStart(true).build()) {
      run(store);
    }
  }

  private void run(JdbcStore store) throws InterruptedException, SQLException {
    JdbcTransactions transactions = new JdbcTransactions(store);
    transactions.run(TransactionalInboxExample::openAccount);
    try (Mailroom mailroom = mailroom(store, transactions)) {
      mailroom.start();
      // Both payments, or none of them: the writes join the transaction that the thread is in.
      transactions.run(
          connection -> {
            mailroom.inbox("payments").write(new Payment("Ada", 20));
            mailroom.inbox("payments").write(new Payment("Ada", 22));
            mailroom.inbox("payments").write(new Payment("Ada", 0));
          });
      Waiting.on(receipts);
    }
    out.accept("Ada has " + transactions.call(TransactionalInboxExample::balance));
  }

  private Mailroom mailroom(JdbcStore store, JdbcTransactions transactions) {
    Mailroom[] self = new Mailroom[1];
    self[0] =
        Mailroom.builder()
            .store(store)
            .codec(new JacksonCodec())
            .currentTransaction(transactions)
            .inbox(
                "payments",
                inbox ->
                    inbox
                        .options(options -> options.concurrency(1).retry(SOON))
                        .handler(Payment.class, delivery -> credit(self[0], delivery)))
            .inbox("receipts", inbox -> inbox.on(ReceiptSent.class, this::send))
            .build();
    return self[0];
  }

  private Result credit(Mailroom mailroom, Delivery<Payment> delivery) throws SQLException {
    Payment payment = delivery.payload();
    Connection connection = JdbcTransaction.connection(delivery.transaction());
    try (PreparedStatement update =
        connection.prepareStatement("UPDATE account SET balance = balance + ? WHERE name = ?")) {
      update.setInt(1, payment.amount());
      update.setString(2, payment.account());
      update.executeUpdate();
    }
    mailroom
        .inbox("receipts")
        .write(
            new ReceiptSent(payment.account(), payment.amount()),
            options -> options.in(delivery.transaction()));
    if (payment.amount() == 22 && delivery.attempt() == 1) {
      out.accept("crediting 22 fails after the update: nothing of it stays");
      return Result.fail("the power went out");
    }
    return Result.success();
  }

  private void send(ReceiptSent receipt) {
    out.accept("receipt: " + receipt.amount() + " credited");
    receipts.countDown();
  }

  private static void openAccount(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute("DROP TABLE IF EXISTS account");
      statement.execute("CREATE TABLE account (name VARCHAR(20), balance INT)");
      statement.execute("INSERT INTO account VALUES ('Ada', 0)");
    }
  }

  private static int balance(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("SELECT balance FROM account")) {
      row.next();
      return row.getInt(1);
    }
  }
}

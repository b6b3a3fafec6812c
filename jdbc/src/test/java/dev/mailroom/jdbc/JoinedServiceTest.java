package dev.mailroom.jdbc;

import static dev.mailroom.storetestkit.TestMessages.channel;
import static dev.mailroom.storetestkit.TestMessages.message;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import dev.mailroom.Delivery;
import dev.mailroom.Result;
import dev.mailroom.memory.MemoryStore;
import dev.mailroom.options.Backoff;
import dev.mailroom.options.RetryPolicy;
import dev.mailroom.spi.Telemetry.Counter;
import dev.mailroom.transactions.Transaction;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A service that has transactions of its own takes part in the one of the handler. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class JoinedServiceTest {
  private static final RetryPolicy AT_ONCE =
      RetryPolicy.builder().backoff(Backoff.fixed(Duration.ofMillis(5)).withJitter(0)).build();

  /** Knows nothing of handlers. */
  private record Service(Office office, JdbcTransactions transactions) {
    void place(String name) throws SQLException {
      transactions.run(
          connection -> {
            Office.effect(connection, name);
            office.mailroom().inbox(Office.INBOX).write(name + "!");
          });
    }
  }

  private static Result handle(Service service, Delivery<String> delivery) throws SQLException {
    if (delivery.payload().endsWith("!")) {
      return Result.success();
    }
    service.transactions.join(
        delivery.transaction(), connection -> service.place(delivery.payload()));
    return delivery.attempt() == 1 ? Result.fail("after the service") : Result.success();
  }

  @ParameterizedTest
  @EnumSource
  void what_the_service_wrote_is_rolled_back_with_the_handler(Databases database) throws Exception {
    try (Office office = new Office(database.create(), 10)) {
      JdbcTransactions transactions = new JdbcTransactions(office.store);
      Service service = new Service(office, transactions);
      office.open(
          inbox ->
              inbox
                  .options(options -> options.retry(AT_ONCE))
                  .handler(String.class, delivery -> handle(service, delivery)),
          builder -> builder.currentTransaction(transactions));
      office.mailroom().start();
      office.mailroom().inbox(Office.INBOX).write("a");
      office.awaitDone();

      assertThat(office.effects()).as("once, though it was called twice").isEqualTo(Map.of("a", 1));
      assertThat(office.telemetry.sum(Counter.COMPLETED)).isEqualTo(2);
      assertThat(transactions.current()).isNull();
    }
  }

  @Test
  void a_transaction_of_another_store_is_refused() throws Exception {
    try (Office one = new Office(Databases.H2.create(), 5);
        Office other = new Office(Databases.H2.create(), 5)) {
      JdbcTransactions transactions = new JdbcTransactions(one.store);
      transactions.run(
          connection -> {
            Transaction theirs = Objects.requireNonNull(transactions.current());
            assertThatIllegalArgumentException()
                .isThrownBy(() -> new JdbcTransactions(other.store).join(theirs, inner -> {}))
                .withMessageContaining("another JDBC store");
            assertThatIllegalArgumentException()
                .isThrownBy(
                    () ->
                        other.store.append(
                            channel("c").build(), List.of(message("m").build()), theirs))
                .withMessageContaining("another JDBC store");
          });
    }
  }

  @Test
  void inner_calls_use_the_joined_connection_and_do_not_commit_it() throws Exception {
    try (Office office = new Office(Databases.H2.create(), 5)) {
      JdbcTransactions transactions = new JdbcTransactions(office.store);
      try (Connection connection = office.pool.getConnection()) {
        connection.setAutoCommit(false);
        JdbcTransaction outer = JdbcTransaction.of(connection);
        boolean same =
            transactions.joinAndCall(
                outer,
                joined -> {
                  transactions.run(inner -> Office.effect(inner, "a"));
                  transactions.join(outer, again -> assertThat(again).isSameAs(connection));
                  return transactions.call(inner -> inner == connection);
                });
        connection.rollback();

        assertThat(same).isTrue();
      }
      assertThat(office.effects()).isEmpty();
    }
  }

  @Test
  void what_is_thrown_comes_out_and_the_thread_is_free_again() throws Exception {
    try (Office office = new Office(Databases.H2.create(), 5);
        var open = office.store.begin()) {
      JdbcTransactions transactions = new JdbcTransactions(office.store);
      assertThatExceptionOfType(IOException.class)
          .isThrownBy(
              () ->
                  transactions.join(
                      open,
                      connection -> {
                        throw new IOException("no");
                      }));

      assertThat(transactions.current()).isNull();
    }
  }

  @Test
  void another_transaction_inside_of_one_is_refused() throws Exception {
    try (Office office = new Office(Databases.H2.create(), 5);
        var open = office.store.begin()) {
      JdbcTransactions transactions = new JdbcTransactions(office.store);
      transactions.run(
          connection ->
              assertThatExceptionOfType(IllegalStateException.class)
                  .isThrownBy(() -> transactions.join(open, joined -> {}))
                  .withMessageContaining("already in another transaction"));
      open.commit();
      assertThatExceptionOfType(IllegalStateException.class)
          .isThrownBy(() -> transactions.join(open, joined -> {}))
          .withMessageContaining("has ended");
    }
  }

  @Test
  void a_transaction_without_a_connection_and_null_are_refused() throws Exception {
    try (Office office = new Office(Databases.H2.create(), 5);
        var other = MemoryStore.create().begin()) {
      JdbcTransactions transactions = new JdbcTransactions(office.store);
      assertThatExceptionOfType(IllegalArgumentException.class)
          .isThrownBy(() -> transactions.join(other, connection -> {}));
      assertThatNullPointerException()
          .isThrownBy(() -> transactions.join(null, connection -> {}))
          .withMessage("transaction");
      assertThatNullPointerException().isThrownBy(() -> transactions.run(null)).withMessage("work");
    }
  }
}

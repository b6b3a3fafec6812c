package dev.mailroom.jdbc;

import dev.mailroom.spi.Transactional.OpenTransaction;
import dev.mailroom.transactions.CurrentTransaction;
import dev.mailroom.transactions.Transaction;
import java.sql.Connection;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Transactions for applications without a framework that has them: one is bound to the thread while
 * it runs, and a mailroom that is told of this object writes into it.
 *
 * <pre>{@code
 * JdbcTransactions transactions = new JdbcTransactions(store);
 * Mailroom mailroom = Mailroom.builder().store(store).currentTransaction(transactions)…
 * transactions.run(connection -> {
 *   orders.insert(connection, order);
 *   mailroom.inbox("mail").write(new Confirmation(order.id()));
 * });                                  // both are committed, or neither
 * }</pre>
 *
 * <p>Safe for use by many threads; each has a transaction of its own.
 */
public final class JdbcTransactions implements CurrentTransaction {
  private final JdbcStore store;

  @SuppressWarnings("ThreadLocalUsage") // one per store, and stores live as long as the process
  private final ThreadLocal<@Nullable JdbcTransaction> current = new ThreadLocal<>();

  /** Transactions in the store's database. */
  public JdbcTransactions(JdbcStore store) {
    this.store = Objects.requireNonNull(store, "store");
  }

  /**
   * What happens in a transaction.
   *
   * @param <E> what it may throw
   */
  @FunctionalInterface
  public interface Work<E extends Exception> {
    /** Does it; the connection is committed and closed by the caller. */
    void run(Connection connection) throws E;
  }

  /**
   * What happens in a transaction and has an answer.
   *
   * @param <T> the answer
   * @param <E> what it may throw
   */
  @FunctionalInterface
  public interface Query<T, E extends Exception> {
    /** Does it; the connection is committed and closed by the caller. */
    T run(Connection connection) throws E;
  }

  @Override
  public @Nullable Transaction current() {
    return current.get();
  }

  /** Runs the work as {@link #call} does. */
  public <E extends Exception> void run(Work<E> work) throws E {
    call(
        connection -> {
          work.run(connection);
          return true;
        });
  }

  /**
   * Runs the query in a transaction and commits; whatever it throws rolls back. Inside of another
   * call on the same thread it is a part of that one's transaction.
   *
   * @throws dev.mailroom.errors.StoreException if the transaction cannot be begun or committed;
   *     after a failed commit it may be unknown whether it took effect
   */
  public <T, E extends Exception> T call(Query<T, E> query) throws E {
    JdbcTransaction outer = current.get();
    if (outer != null) {
      return query.run(outer.connection());
    }
    try (OpenTransaction transaction = store.begin()) {
      JdbcTransaction own = (JdbcTransaction) transaction;
      T answer;
      current.set(own);
      try {
        answer = query.run(own.connection());
      } finally {
        current.remove();
      }
      transaction.commit();
      return answer;
    }
  }
}

package dev.mailroom.jdbc;

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
 * <p>A service that uses this object takes part in a handler's transaction if the handler calls it
 * inside of {@link #join}.
 *
 * <p>Thread-safe; each thread has a transaction of its own.
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
    /** Does it; not to commit, to roll back or to close the connection. */
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
    /** Does it; not to commit, to roll back or to close the connection. */
    T run(Connection connection) throws E;
  }

  @Override
  public @Nullable Transaction current() {
    return current.get();
  }

  /** Runs the work as {@link #call} does. */
  public <E extends Exception> void run(Work<E> work) throws E {
    Objects.requireNonNull(work, "work");
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
    Objects.requireNonNull(query, "query");
    JdbcTransaction outer = current.get();
    if (outer != null) {
      return query.run(outer.connection());
    }
    try (OwnTransaction transaction = store.beginForApplication()) {
      T answer = bound(transaction, query);
      transaction.commit();
      return answer;
    }
  }

  /** Runs the work as {@link #joinAndCall} does. */
  public <E extends Exception> void join(Transaction transaction, Work<E> work) throws E {
    Objects.requireNonNull(work, "work");
    joinAndCall(
        transaction,
        connection -> {
          work.run(connection);
          return true;
        });
  }

  /**
   * Runs the query as a part of a transaction that is already open, such as a handler's: {@code
   * transactions.join(delivery.transaction(), connection -> orders.place(order))}. Inside of it,
   * {@link #run}, {@link #call} and writes of this thread use that transaction. Neither commits it
   * nor rolls it back, also if the query throws: a handler that lets the exception out rolls back
   * everything.
   *
   * @throws IllegalArgumentException if it is the transaction of another store
   * @throws IllegalStateException if the transaction has ended, or this thread is already in
   *     another one
   */
  public <T, E extends Exception> T joinAndCall(Transaction transaction, Query<T, E> query)
      throws E {
    Objects.requireNonNull(query, "query");
    JdbcTransaction joined = JdbcTransaction.ofStore(transaction);
    store.requireOwn(joined);
    JdbcTransaction outer = current.get();
    if (outer == joined) {
      return query.run(joined.connection());
    }
    if (outer != null) {
      throw new IllegalStateException(
          "This thread is already in another transaction, which was begun by run() or call() or"
              + " joined: end that one before you join the next.");
    }
    return bound(joined, query);
  }

  /** Runs the query with the thread bound to the transaction. */
  private <T, E extends Exception> T bound(JdbcTransaction transaction, Query<T, E> query)
      throws E {
    Connection connection = transaction.connection();
    current.set(transaction);
    try {
      return query.run(connection);
    } finally {
      current.remove();
    }
  }
}

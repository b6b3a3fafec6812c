package dev.mailroom.jdbc;

import dev.mailroom.transactions.Transaction;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The caller's own transaction: a connection that is in one. What is written in it becomes visible
 * when the caller commits.
 *
 * <p>Not thread-safe, as the connection is not.
 */
public class JdbcTransaction implements Transaction {
  private final Connection connection;
  private final @Nullable Consumer<Runnable> afterCommit;

  JdbcTransaction(Connection connection, @Nullable Consumer<Runnable> afterCommit) {
    this.connection = Objects.requireNonNull(connection, "connection");
    this.afterCommit = afterCommit;
  }

  /**
   * Joins the transaction that the connection is in. A plain connection does not tell when it
   * commits. On PostgreSQL the store therefore sends its wake-up inside of the transaction, see
   * {@link JdbcStoreBuilder#notifyInTransaction}; elsewhere handlers find the message by polling.
   *
   * @param connection with auto-commit switched off; the caller commits and closes it
   * @throws IllegalArgumentException if the connection is in auto-commit mode
   * @throws dev.mailroom.errors.StoreException if the connection is closed or broken
   */
  public static JdbcTransaction of(Connection connection) {
    return new JdbcTransaction(inTransaction(connection), null);
  }

  /**
   * Joins the transaction that the connection is in, and wakes handlers through the application's
   * own hook as soon as it has committed.
   *
   * @param connection with auto-commit switched off; the caller commits and closes it
   * @param afterCommit is given quick actions, on the calling thread. It runs each of them after
   *     the commit, on any thread, and drops them after a rollback
   * @throws IllegalArgumentException if the connection is in auto-commit mode
   * @throws dev.mailroom.errors.StoreException if the connection is closed or broken
   */
  public static JdbcTransaction of(Connection connection, Consumer<Runnable> afterCommit) {
    Objects.requireNonNull(afterCommit, "afterCommit");
    return new JdbcTransaction(inTransaction(connection), afterCommit);
  }

  private static Connection inTransaction(Connection connection) {
    Objects.requireNonNull(connection, "connection");
    try {
      if (connection.getAutoCommit()) {
        throw new IllegalArgumentException(
            "The connection is in auto-commit mode, so there is no transaction to join: call"
                + " setAutoCommit(false) first, and commit() after the write.");
      }
    } catch (SQLException e) {
      throw SqlErrors.translate("join the connection's transaction", e);
    }
    return connection;
  }

  /**
   * The connection of a transaction that Mailroom handed out, such as a handler's: {@code
   * JdbcTransaction.connection(delivery.transaction())}. It can be used as any other, but only on
   * this thread, and not to commit, to roll back or to close it: Mailroom ends what it began.
   *
   * @throws IllegalArgumentException if it is the transaction of another kind of store
   */
  public static Connection connection(Transaction transaction) {
    return ofStore(transaction).connection();
  }

  /** A transaction that Mailroom handed out, as one that has a connection. */
  static JdbcTransaction ofStore(Transaction transaction) {
    Objects.requireNonNull(transaction, "transaction");
    if (transaction instanceof JdbcTransaction own) {
      return own;
    }
    throw new IllegalArgumentException(
        "A "
            + transaction.getClass().getName()
            + " has no JDBC connection: only transactions of a JDBC store have one.");
  }

  /** The transaction as one that the store of these transactions can join. */
  static JdbcTransaction from(Transaction transaction, Transactions store) {
    if (transaction instanceof JdbcTransaction own) {
      own.requireOf(store);
      return own;
    }
    throw new UnsupportedOperationException(
        "The JDBC store cannot join "
            + transaction.getClass().getName()
            + ": it joins a JdbcTransaction only.");
  }

  /** Refuses another store's transaction; a plain connection does not tell whose it is. */
  void requireOf(Transactions store) {}

  /** The connection whose transaction this is. */
  public Connection connection() {
    return connection;
  }

  /** The connection as the store uses it. */
  Connection forStore() {
    return connection;
  }

  /** Whether the caller may run statements after the store's last one. */
  boolean isCallers() {
    return true;
  }

  /** Whether actions run after the commit, or are dropped. */
  boolean runsAfterCommit() {
    return afterCommit != null;
  }

  /** Passes the action to the application's hook; without one the action is dropped. */
  @Override
  public void afterCommit(Runnable action) {
    Objects.requireNonNull(action, "action");
    if (afterCommit != null) {
      afterCommit.accept(action);
    }
  }
}

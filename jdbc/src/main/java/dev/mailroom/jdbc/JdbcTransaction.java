package dev.mailroom.jdbc;

import dev.mailroom.transactions.Transaction;
import java.sql.Connection;
import java.util.Objects;

/**
 * The caller's own transaction: a connection that is in one. What is written in it becomes visible
 * when the caller commits.
 *
 * <p>Not safe for use by many threads, as the connection is not.
 */
public class JdbcTransaction implements Transaction {
  private final Connection connection;

  JdbcTransaction(Connection connection) {
    this.connection = Objects.requireNonNull(connection, "connection");
  }

  /**
   * Joins the transaction that the connection is in.
   *
   * @param connection with auto-commit switched off; whoever opened it commits and closes it
   */
  public static JdbcTransaction of(Connection connection) {
    return new JdbcTransaction(connection);
  }

  /**
   * The connection of a transaction that Mailroom handed out, such as a handler's: {@code
   * JdbcTransaction.connection(delivery.transaction())}. It can be used as any other, but only on
   * this thread, and not to commit, to roll back or to close it: whoever began the transaction ends
   * it.
   *
   * @throws IllegalArgumentException if it is the transaction of another kind of store
   */
  public static Connection connection(Transaction transaction) {
    if (transaction instanceof JdbcTransaction own) {
      return own.connection();
    }
    throw new IllegalArgumentException(
        "A "
            + transaction.getClass().getName()
            + " has no JDBC connection: only transactions of a JDBC store have one.");
  }

  /** The transaction as one that the store can join. */
  static JdbcTransaction from(Transaction transaction) {
    if (transaction instanceof JdbcTransaction own) {
      return own;
    }
    throw new UnsupportedOperationException(
        "The JDBC store cannot join "
            + transaction.getClass().getName()
            + ": it joins a JdbcTransaction only.");
  }

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

  /** Nobody tells when a plain connection commits: drops the action, and polling finds the work. */
  @Override
  public void afterCommit(Runnable action) {
    Objects.requireNonNull(action, "action");
  }
}

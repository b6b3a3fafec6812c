package dev.mailroom.jdbc;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Set;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A connection for somebody who must not end its transaction, and who may use it no longer than
 * that is open and on no other thread. Savepoints work as always.
 */
final class GuardedConnection implements InvocationHandler {
  private static final Set<String> ENDING =
      Set.of("commit", "close", "abort", "setTransactionIsolation");

  private final Connection connection;
  private final BooleanSupplier hasEnded;
  private final Thread thread = Thread.currentThread();

  private GuardedConnection(Connection connection, BooleanSupplier hasEnded) {
    this.connection = connection;
    this.hasEnded = hasEnded;
  }

  static Connection of(Connection connection, BooleanSupplier hasEnded) {
    return (Connection)
        Proxy.newProxyInstance(
            GuardedConnection.class.getClassLoader(),
            new Class<?>[] {Connection.class},
            new GuardedConnection(connection, hasEnded));
  }

  @Override
  public @Nullable Object invoke(Object proxy, Method method, @Nullable Object @Nullable [] values)
      throws Throwable {
    return switch (method.getName()) {
      case "equals" -> values != null && proxy == values[0];
      case "hashCode" -> System.identityHashCode(proxy);
      case "toString" -> "a connection in a transaction of Mailroom";
      case "isClosed" -> hasEnded.getAsBoolean();
      default -> use(method, values);
    };
  }

  private @Nullable Object use(Method method, @Nullable Object @Nullable [] values)
      throws Throwable {
    requireUsable();
    String name = method.getName();
    boolean bare = values == null;
    if (ENDING.contains(name) || (name.equals("rollback") && bare)) {
      throw refused(name);
    }
    if (name.equals("getAutoCommit")) {
      return false; // also where a transaction is begun by a statement
    }
    if (name.equals("setAutoCommit")) {
      if (values != null && Boolean.TRUE.equals(values[0])) {
        throw refused(name);
      }
      return null;
    }
    try {
      return method.invoke(connection, values);
    } catch (InvocationTargetException e) {
      throw e.getCause() == null ? e : e.getCause();
    }
  }

  private void requireUsable() throws SQLException {
    if (hasEnded.getAsBoolean()) {
      throw new SQLException("The transaction of this connection has ended");
    }
    if (Thread.currentThread() != thread) {
      throw new SQLException("The connection of a transaction is for the thread that began it");
    }
  }

  private static SQLException refused(String method) {
    return new SQLException(
        "Not "
            + method
            + "() on this connection: whoever began the transaction ends it. In a handler that is"
            + " Mailroom, which commits when the handler answers with success and rolls back"
            + " otherwise");
  }
}

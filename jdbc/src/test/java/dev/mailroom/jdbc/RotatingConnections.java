package dev.mailroom.jdbc;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * What a proxy that pools transactions does to PostgreSQL's sessions: whoever asks gets the
 * connection that was given back longest ago, and nothing of a session survives its return.
 */
final class RotatingConnections implements AutoCloseable {
  private static final int AT_LEAST = 4;

  private final DataSource source;
  private final Queue<Connection> idle = new ConcurrentLinkedQueue<>();
  private final List<Connection> all = new ArrayList<>();

  RotatingConnections(DataSource source) throws SQLException {
    this.source = source;
    for (int i = 0; i < AT_LEAST; i++) {
      idle.add(open());
    }
  }

  private synchronized Connection open() throws SQLException {
    Connection connection = source.getConnection();
    all.add(connection);
    return connection;
  }

  DataSource dataSource() {
    return proxy(
        DataSource.class,
        (method, arguments) ->
            method.getName().equals("getConnection") ? lend() : call(source, method, arguments));
  }

  private Connection lend() throws SQLException {
    Connection first = idle.poll();
    Connection connection = first == null ? open() : first;
    return proxy(
        Connection.class,
        (method, arguments) -> {
          if (method.getName().equals("close")) {
            takeBack(connection);
            return null;
          }
          return call(connection, method, arguments);
        });
  }

  private void takeBack(Connection connection) throws SQLException {
    if (!connection.isClosed()) {
      if (!connection.getAutoCommit()) {
        connection.rollback();
        connection.setAutoCommit(true);
      }
      try (Statement statement = connection.createStatement()) {
        statement.execute("DISCARD ALL");
      }
      idle.add(connection);
    }
  }

  private interface Answer {
    @Nullable Object to(Method method, @Nullable Object @Nullable [] arguments) throws Throwable;
  }

  private static <T> T proxy(Class<T> type, Answer answer) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (self, method, arguments) -> answer.to(method, arguments)));
  }

  private static @Nullable Object call(
      Object target, Method method, @Nullable Object @Nullable [] arguments) throws Throwable {
    try {
      return method.invoke(target, arguments);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }

  @Override
  public synchronized void close() throws SQLException {
    for (Connection connection : all) {
      connection.close();
    }
  }
}

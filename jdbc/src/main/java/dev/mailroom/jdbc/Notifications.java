package dev.mailroom.jdbc;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/**
 * The notifications of a connection to PostgreSQL. JDBC has no word for them, so this calls the
 * driver's own, by name: the store is compiled without any driver.
 */
final class Notifications {
  private static final String CONNECTION = "org.postgresql.PGConnection";
  private static final String NOTIFICATION = "org.postgresql.PGNotification";

  private final Object connection;
  private final Method await;
  private final Method text;

  private Notifications(Object connection, Method await, Method text) {
    this.connection = connection;
    this.await = await;
    this.text = text;
  }

  static Notifications of(Connection connection) throws SQLException {
    try {
      ClassLoader loader = Notifications.class.getClassLoader();
      Class<?> type = Class.forName(CONNECTION, false, loader);
      return new Notifications(
          connection.unwrap(type),
          type.getMethod("getNotifications", int.class),
          Class.forName(NOTIFICATION, false, loader).getMethod("getParameter"));
    } catch (ReflectiveOperationException e) {
      throw new SQLException("The driver of PostgreSQL is not in reach of the store", e);
    }
  }

  /** Waits so long for notifications; their texts. */
  List<String> await(int millis) throws SQLException {
    try {
      List<String> texts = new ArrayList<>();
      if (await.invoke(connection, millis) instanceof Object[] heard) {
        for (Object each : heard) {
          texts.add((String) text.invoke(each));
        }
      }
      return texts;
    } catch (InvocationTargetException e) {
      if (e.getCause() instanceof SQLException cause) {
        throw cause;
      }
      throw new SQLException("The driver failed to wait for notifications", e);
    } catch (IllegalAccessException e) {
      throw new SQLException("The driver does not let its notifications be read", e);
    }
  }
}

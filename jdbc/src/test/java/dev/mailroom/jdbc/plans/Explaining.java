package dev.mailroom.jdbc.plans;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLWarning;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;

/**
 * A data source on which the server explains every statement that it has carried out, so that none
 * can be forgotten: its auto_explain sends the plan along as a warning. In a transaction, the plan
 * of a statement comes with the next one, or with the commit.
 */
final class Explaining {
  /** What a connection says first. Plans are those for any values, as a busy server has them. */
  static final String SETTINGS =
      """
      LOAD 'auto_explain';
      SET auto_explain.log_min_duration = 0;
      SET auto_explain.log_analyze = on;
      SET auto_explain.log_buffers = on;
      SET auto_explain.log_timing = off;
      SET auto_explain.log_format = xml;
      SET auto_explain.log_level = notice;
      SET plan_cache_mode = force_generic_plan""";

  private final DataSource source;
  private final List<Plan> plans = new ArrayList<>();

  /** The driver drops the warnings of a batch, so its parts are carried out one by one. */
  private final List<Integer> counts = new ArrayList<>();

  Explaining(DataSource source) {
    this.source = source;
  }

  /** Connections whose statements are explained. */
  DataSource dataSource() {
    return proxy(DataSource.class, source);
  }

  /** A connection that was given {@link #SETTINGS}. */
  Connection watched(Connection connection) {
    return proxy(Connection.class, connection);
  }

  /** The plans since the last time this was asked. */
  List<Plan> take() {
    List<Plan> taken = List.copyOf(plans);
    plans.clear();
    return taken;
  }

  private <T> T proxy(Class<T> type, T real) {
    Object proxy =
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (self, method, values) -> call(real, method, values));
    return type.cast(proxy);
  }

  private Object call(Object real, Method method, Object[] values) throws Throwable {
    if (real instanceof PreparedStatement statement) {
      if (method.getName().equals("addBatch")) {
        call(real, PreparedStatement.class.getMethod("execute"), new Object[0]);
        counts.add(statement.getUpdateCount());
        return null;
      }
      if (method.getName().equals("executeBatch")) {
        int[] all = counts.stream().mapToInt(Integer::intValue).toArray();
        counts.clear();
        return all;
      }
    }
    Object answer;
    try {
      answer = method.invoke(real, values);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
    if (real instanceof Statement statement && method.getName().startsWith("execute")) {
      collect(statement.getWarnings());
      statement.clearWarnings();
    }
    if (real instanceof Connection connection && method.getName().equals("commit")) {
      collect(connection.getWarnings());
      connection.clearWarnings();
    }
    if (answer instanceof Connection connection) {
      return proxy(Connection.class, connection);
    }
    return answer instanceof PreparedStatement statement
        ? proxy(PreparedStatement.class, statement)
        : answer;
  }

  private void collect(SQLWarning first) {
    for (SQLWarning each = first; each != null; each = each.getNextWarning()) {
      int start = each.getMessage().indexOf("<explain");
      if (start >= 0) {
        plans.add(Plan.parse(each.getMessage().substring(start)));
      }
    }
  }
}

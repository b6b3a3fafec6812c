package dev.mailroom.jdbc;

import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Types;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * One prepared statement and its values. A collection among the values takes the place of {@code
 * {list}}: as many question marks as the next power of two, the last value repeated, so that few
 * different statements are prepared.
 */
final class Call {
  /**
   * No number. Unlike null it has a type: PostgreSQL's driver asks the server about a statement
   * with a value of unknown type, and from then on no longer sends what travels before it along
   * with it.
   */
  static final Object NO_NUMBER = new Object();

  private static final String LIST = "{list}";

  private final Session session;
  private final Dialect dialect;
  private String sql;
  private final List<@Nullable Object> values = new ArrayList<>();

  Call(Session session, String sql) {
    this.session = session;
    this.dialect = session.dialect;
    this.sql = sql;
  }

  /** Reads one row. */
  interface Reader<T> {
    T read(ResultSet row) throws SQLException;
  }

  Call with(@Nullable Object... more) {
    for (@Nullable Object value : more) {
      if (value instanceof Collection<?> list) {
        expand(list);
      } else {
        values.add(value);
      }
    }
    return this;
  }

  private void expand(Collection<?> list) {
    int size = Integer.highestOneBit(Math.max(1, 2 * list.size() - 1));
    StringBuilder marks = new StringBuilder(3 * size);
    Object last = null;
    for (Object each : list) {
      values.add(each);
      last = each;
    }
    for (int i = 0; i < size; i++) {
      marks.append(i == 0 ? "?" : ", ?");
      if (i >= list.size()) {
        values.add(last);
      }
    }
    int at = sql.indexOf(LIST);
    sql = sql.substring(0, at) + marks + sql.substring(at + LIST.length());
  }

  /** How many rows were changed. */
  int update() throws SQLException {
    try (PreparedStatement statement = prepare()) {
      return session.run(statement, PreparedStatement::executeUpdate);
    }
  }

  /** The number that the inserted row was given by a counter, or by LAST_INSERT_ID(…). */
  long insertId() throws SQLException {
    try (PreparedStatement statement =
        bound(session.prepare(sql, Statement.RETURN_GENERATED_KEYS))) {
      session.run(statement, PreparedStatement::executeUpdate);
      try (ResultSet keys = statement.getGeneratedKeys()) {
        if (!keys.next()) {
          throw new SQLException("The driver does not say which number an insert was given.");
        }
        return keys.getLong(1);
      }
    }
  }

  /** The rows, each as the reader reads it. */
  <T> List<T> list(Reader<T> reader) throws SQLException {
    try (PreparedStatement statement = prepare();
        ResultSet rows = session.run(statement, PreparedStatement::executeQuery)) {
      List<T> found = new ArrayList<>();
      while (rows.next()) {
        found.add(reader.read(rows));
      }
      return found;
    }
  }

  /** The rows of the second of two statements that travel together. */
  <T> List<T> listOfSecond(Reader<T> reader) throws SQLException {
    return listOf(2, reader);
  }

  /** The rows of one of several statements that travel together, the first of which is 1. */
  <T> List<T> listOf(int number, Reader<T> reader) throws SQLException {
    try (PreparedStatement statement = prepare()) {
      session.run(statement, PreparedStatement::execute);
      for (int i = 1; i < number; i++) {
        statement.getMoreResults();
      }
      try (ResultSet rows = statement.getResultSet()) {
        List<T> found = new ArrayList<>();
        while (rows.next()) {
          found.add(reader.read(rows));
        }
        return found;
      }
    }
  }

  /** Shows every row to the visitor. */
  void each(Visitor visitor) throws SQLException {
    try (PreparedStatement statement = prepare();
        ResultSet rows = session.run(statement, PreparedStatement::executeQuery)) {
      while (rows.next()) {
        visitor.visit(rows);
      }
    }
  }

  /** Looks at a row. */
  interface Visitor {
    void visit(ResultSet row) throws SQLException;
  }

  /** The first row, or null. */
  <T> @Nullable T first(Reader<T> reader) throws SQLException {
    List<T> found = list(reader);
    return found.isEmpty() ? null : found.get(0);
  }

  /** Runs the statement once for every set of values, in one round trip where the driver can. */
  int[] batch(Collection<@Nullable Object[]> sets) throws SQLException {
    if (sets.isEmpty()) {
      return new int[0];
    }
    try (PreparedStatement statement = session.prepare(sql)) {
      for (@Nullable Object[] set : sets) {
        for (int i = 0; i < set.length; i++) {
          bind(statement, i + 1, set[i]);
        }
        statement.addBatch();
      }
      return session.run(statement, PreparedStatement::executeBatch);
    }
  }

  private PreparedStatement prepare() throws SQLException {
    return bound(session.prepare(sql));
  }

  private PreparedStatement bound(PreparedStatement statement) throws SQLException {
    try {
      for (int i = 0; i < values.size(); i++) {
        bind(statement, i + 1, values.get(i));
      }
      return statement;
    } catch (SQLException | RuntimeException e) {
      statement.close();
      throw e;
    }
  }

  private void bind(PreparedStatement statement, int index, @Nullable Object value)
      throws SQLException {
    if (value == null) {
      statement.setNull(index, Types.NULL);
    } else if (value == NO_NUMBER) {
      statement.setNull(index, Types.BIGINT);
    } else if (value instanceof String text) {
      statement.setString(index, text);
    } else if (value instanceof Long number) {
      statement.setLong(index, number);
    } else if (value instanceof Integer number) {
      statement.setInt(index, number);
    } else if (value instanceof UUID id) {
      dialect.setId(statement, index, id);
    } else if (value instanceof byte[] bytes) {
      statement.setBytes(index, bytes);
    } else if (value instanceof Boolean flag) {
      statement.setInt(index, flag ? 1 : 0);
    } else if (value instanceof java.sql.Array array) {
      statement.setArray(index, array);
    } else {
      throw new IllegalArgumentException("No column holds a " + value.getClass().getName());
    }
  }
}

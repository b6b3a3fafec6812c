package dev.mailroom.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** H2 2.2.220 and later. */
final class H2Dialect extends Dialect {
  private static final String NOW =
      """
      SELECT CAST(EXTRACT(EPOCH FROM CURRENT_TIMESTAMP) * 1000000 AS BIGINT)\
      """;

  /** Not even IF NOT EXISTS keeps two from creating the same thing: general, table, index, key. */
  private static final Set<Integer> ALREADY_EXISTS = Set.of(50_000, 42_101, 42_111, 90_045);

  @Override
  boolean isMigrationRace(SQLException error) {
    return ALREADY_EXISTS.contains(error.getErrorCode());
  }

  @Override
  Deadlines deadlines(@Nullable Duration most, Duration grace) {
    return Deadlines.NONE;
  }

  @Override
  String bytesType() {
    return "BINARY LARGE OBJECT";
  }

  @Override
  String weakness(Session session) {
    return "H2 writes what was committed later, and does not wait for the disk.";
  }

  @Override
  String json(String bytes) {
    return "(" + bytes + " FORMAT JSON)";
  }

  @Override
  String name() {
    return "h2";
  }

  @Override
  boolean qualifiesIndexes() {
    return true;
  }

  @Override
  long now(Session session) throws SQLException {
    return session.call(NOW).list(row -> row.getLong(1)).get(0);
  }

  @Override
  long[] numbers(Session session, int count) throws SQLException {
    return session
        .call("SELECT NEXT VALUE FOR {number} FROM SYSTEM_RANGE(1, ?)")
        .with(count)
        .list(row -> row.getLong(1))
        .stream()
        .mapToLong(Long::longValue)
        .sorted()
        .toArray();
  }

  @Override
  Groups groups() {
    return new H2Groups();
  }

  /** H2 knows no clause for it, but a statement that fails leaves the transaction as it was. */
  @Override
  boolean insertAbsent(Session session, String insert, @Nullable Object... values)
      throws SQLException {
    try {
      return session.call(insert).with(values).update() == 1;
    } catch (SQLException e) {
      if (SqlErrors.isDuplicate(e)) {
        return false;
      }
      throw e;
    }
  }

  @Override
  void begin(Connection connection) throws SQLException {
    connection.setAutoCommit(false);
    if (connection.getTransactionIsolation() != Connection.TRANSACTION_READ_COMMITTED) {
      connection.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
    }
  }
}

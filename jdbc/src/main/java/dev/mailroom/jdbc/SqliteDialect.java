package dev.mailroom.jdbc;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * SQLite 3.35 and later. One writer at a time: a transaction takes the right to write when it
 * begins, so it never fails half-way, and there are no row locks.
 */
final class SqliteDialect extends Dialect {
  private static final String NOW =
      "SELECT CAST(ROUND((julianday('now') - 2440587.5) * 86400000) AS INTEGER) * 1000";

  private static final int FULL = 2;

  @Override
  Deadlines deadlines(@Nullable Duration most, Duration grace) {
    return Deadlines.NONE;
  }

  @Override
  String bytesType() {
    return "BLOB";
  }

  @Override
  String jsonType() {
    return "TEXT";
  }

  @Override
  @Nullable String weakness(Session session) throws SQLException {
    boolean inMemory =
        session
            .call("SELECT COUNT(*) FROM pragma_database_list WHERE name = 'main' AND file = ''")
            .list(row -> row.getInt(1) > 0)
            .get(0);
    if (inMemory) {
      return "The SQLite database is in memory.";
    }
    int waits = session.call("PRAGMA synchronous").list(row -> row.getInt(1)).get(0);
    return waits >= FULL
        ? null
        : "SQLite does not wait for the disk: synchronous is "
            + waits
            + ", and only FULL (2) and EXTRA (3) wait.";
  }

  @Override
  String json(String bytes) {
    return "CAST(" + bytes + " AS TEXT)";
  }

  @Override
  String name() {
    return "sqlite";
  }

  @Override
  boolean hasManyWriters() {
    return false;
  }

  @Override
  String lock() {
    return "";
  }

  @Override
  String skipLocked() {
    return "";
  }

  @Override
  long now(Session session) throws SQLException {
    return session.call(NOW).list(row -> row.getLong(1)).get(0);
  }

  @Override
  long[] numbers(Session session, int count) throws SQLException {
    session.call("UPDATE {number} SET latest = latest + ? WHERE id = 1").with(count).update();
    long last =
        session.call("SELECT latest FROM {number} WHERE id = 1").list(r -> r.getLong(1)).get(0);
    long[] numbers = new long[count];
    for (int i = 0; i < count; i++) {
      numbers[i] = last - count + 1 + i;
    }
    return numbers;
  }

  @Override
  boolean insertAbsent(Session session, String insert, @Nullable Object... values)
      throws SQLException {
    return session.call(insert + " ON CONFLICT DO NOTHING").with(values).update() == 1;
  }

  @Override
  int insertAbsentAll(Session session, String insert, List<@Nullable Object[]> rows)
      throws SQLException {
    return IntStream.of(session.call(insert + " ON CONFLICT DO NOTHING").batch(rows)).sum();
  }

  @Override
  void setId(PreparedStatement statement, int index, UUID id) throws SQLException {
    statement.setString(index, id.toString());
  }

  @Override
  UUID getId(ResultSet row, int index) throws SQLException {
    return UUID.fromString(row.getString(index));
  }

  @Override
  void begin(Connection connection) throws SQLException {
    execute(connection, "BEGIN IMMEDIATE");
  }

  @Override
  void commit(Connection connection) throws SQLException {
    execute(connection, "COMMIT");
  }

  @Override
  void rollback(Connection connection) throws SQLException {
    execute(connection, "ROLLBACK");
  }

  /** Attached databases are not created here, and there are no other schemas. */
  @Override
  void beforeMigration(Session session) {}
}

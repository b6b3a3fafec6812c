package dev.mailroom.benchmarks.postgres;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/**
 * One insert of one row and its commit, into a table with the columns, indexes and settings of the
 * store's own: what an append costs at least.
 */
final class BareInsert {
  private static final String TABLE = "bare";
  private static final String INSERT =
      """
      INSERT INTO bare (channel, id, position, sequence, tenant, grouped, group_key,
        deduplication_key, collapse_key, contract, contract_version, content_type, payload,
        created_at, received_at, visible_at, attempts, crashes, deferrals)
      VALUES (1, ?, ?, ?, '', 0, '', '', '', 'bench.order', 1, 'application/json', ?, ?, ?, ?,
        0, 0, 0)""";

  private final AtomicLong numbers = new AtomicLong();

  static BareInsert create(BenchDatabase database) throws SQLException {
    database.execute("CREATE TABLE " + TABLE + " (LIKE mailroom_message INCLUDING ALL)");
    String settings =
        database.text(
            "SELECT COALESCE(array_to_string(reloptions, ', '), 'fillfactor = 100')"
                + " FROM pg_class WHERE oid = 'mailroom_message'::regclass");
    database.execute("ALTER TABLE " + TABLE + " SET (" + settings + ")");
    return new BareInsert();
  }

  static String table() {
    return TABLE;
  }

  PreparedStatement prepare(Connection connection) throws SQLException {
    return connection.prepareStatement(INSERT);
  }

  /** Inserts an order; the connection or its user commits. */
  void insert(PreparedStatement statement, Order order) throws Exception {
    long number = numbers.incrementAndGet();
    long micros = System.currentTimeMillis() * 1_000;
    statement.setObject(1, id(number));
    statement.setLong(2, number);
    statement.setLong(3, number);
    statement.setBytes(4, Json.write(order));
    statement.setLong(5, micros);
    statement.setLong(6, micros);
    statement.setLong(7, micros);
    statement.executeUpdate();
  }

  /** Grows with time, as the ids of messages do, so that it lands at the end of the index. */
  private static UUID id(long number) {
    long time = (System.currentTimeMillis() << 16) | 0x7000 | (number & 0xfff);
    return new UUID(time, (ThreadLocalRandom.current().nextLong() >>> 2) | (1L << 63));
  }
}

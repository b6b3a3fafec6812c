package dev.mailroom.jdbc;

import java.sql.SQLException;
import java.util.Arrays;
import java.util.Map;
import java.util.Queue;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gives out numbers on MySQL and MariaDB, for which nobody waits until another commits. MariaDB has
 * sequences. MySQL has none, and a row is inserted into a table for the sake of its counter. Either
 * counts blocks of numbers, which need not follow each other, whatever increment the server is set
 * to.
 */
final class MySqlCounter {
  private static final Logger LOG = LoggerFactory.getLogger(JdbcStore.class);

  /** How many numbers a block has, so that a batch needs one. */
  private static final int BLOCK = 1 << 14;

  /** The first number of a block, drawn from a sequence by the statement that needs it. */
  static final String NEXT = "NEXT VALUE FOR {number} * " + BLOCK;

  /** How many rows of a table are removed at once. */
  private static final int FORGETTING = 64;

  private static final String KIND =
      """
      SELECT table_type FROM information_schema.tables
      WHERE table_schema = COALESCE(?, DATABASE()) AND table_name = ?""";

  /**
   * Each by its key. Given a list of keys, MariaDB 10.11 looks at all rows, and waits for those of
   * open transactions.
   */
  private static final String FORGET = "DELETE FROM {number} WHERE id = ?";

  private final Map<Schema, Boolean> sequences = new ConcurrentHashMap<>();

  /** Rows of tables that were inserted and are still there. */
  private final Map<Schema, Queue<Long>> inserted = new ConcurrentHashMap<>();

  /** Whether it is a sequence. Looked at, not told from the server: a table does on either. */
  boolean isSequence(Session session) throws SQLException {
    Schema schema = session.schema;
    Boolean known = sequences.get(schema);
    if (known == null) {
      String kind =
          session
              .call(KIND)
              .with(schema.name(), schema.table(Schema.NUMBER))
              .first(row -> row.getString(1));
      known = "SEQUENCE".equals(kind);
      if (kind != null) { // else it is still to be made
        sequences.put(schema, known);
      }
    }
    return known;
  }

  /** So many numbers, growing; a table's row is gone at once. */
  long[] draw(Session session, int count) throws SQLException {
    long[] numbers = new long[count];
    for (int from = 0; from < count; from += BLOCK) {
      long first = block(session);
      for (int i = from; i < Math.min(count, from + BLOCK); i++) {
        numbers[i] = first + i - from;
      }
      if (!isSequence(session)) {
        session.call(FORGET).with(first / BLOCK).update();
      }
    }
    return numbers;
  }

  /** At most a block of numbers; a table's row stays, until {@link #used} has enough of them. */
  long[] drawBlock(Session session, int count) throws SQLException {
    long[] numbers = new long[count];
    long first = block(session);
    Arrays.setAll(numbers, i -> first + i);
    return numbers;
  }

  private long block(Session session) throws SQLException {
    long next =
        isSequence(session)
            ? session.call("SELECT NEXT VALUE FOR {number}").list(row -> row.getLong(1)).get(0)
            : session.call("INSERT INTO {number} (id) VALUES (NULL)").insertId();
    return next * BLOCK;
  }

  /** Numbers of a block are stored. Rows that are left are removed, if there are enough of them. */
  void used(Session session, long first) throws SQLException {
    if (isSequence(session)) {
      return;
    }
    Queue<Long> rows =
        inserted.computeIfAbsent(session.schema, schema -> new ConcurrentLinkedQueue<>());
    rows.add(first / BLOCK);
    if (rows.size() < FORGETTING) {
      return;
    }
    SortedSet<Long> some = new TreeSet<>();
    for (Long next = rows.poll(); next != null; next = rows.poll()) {
      some.add(next);
    }
    try {
      Dialect.execute(session.connection, "START TRANSACTION");
      session.call(FORGET).batch(some.stream().map(id -> new @Nullable Object[] {id}).toList());
      Dialect.execute(session.connection, "COMMIT");
    } catch (SQLException e) {
      // Nothing is lost by those that stay.
      LOG.debug("{} rows of the counter stay where they are.", some.size(), e);
      Dialect.execute(session.connection, "ROLLBACK");
    }
  }
}

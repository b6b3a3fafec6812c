package dev.mailroom.jdbc;

import java.sql.SQLException;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** PostgreSQL 13 and later. */
final class PostgresDialect extends Dialect {
  /**
   * The time of the statement. Not clock_timestamp(), which is asked anew for every row and keeps
   * an index from being used up to it.
   */
  static final String NOW = "(extract(epoch FROM statement_timestamp()) * 1000000)::bigint";

  /** Any number will do, as long as nobody else has it: "mailroom" in the first eight bytes. */
  private static final long MIGRATION_LOCK = 0x6d61696c726f6f6dL;

  @Override
  String name() {
    return "postgresql";
  }

  @Override
  long now(Session session) throws SQLException {
    return session.call("SELECT " + NOW).list(row -> row.getLong(1)).get(0);
  }

  @Override
  long[] numbers(Session session, int count) throws SQLException {
    List<Long> numbers =
        session
            .call("SELECT nextval('{number}') FROM generate_series(1, ?)")
            .with(count)
            .list(row -> row.getLong(1));
    return numbers.stream().mapToLong(Long::longValue).sorted().toArray();
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
  void beforeMigration(Session session) throws SQLException {
    session.call("SELECT pg_advisory_xact_lock(?)").with(MIGRATION_LOCK).list(row -> 0);
    super.beforeMigration(session);
  }
}

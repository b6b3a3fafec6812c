package dev.mailroom.benchmarks.comparison.workload;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;

/**
 * What PostgreSQL has counted so far.
 *
 * @param wal bytes of its log
 * @param deadRows rows of this database that were removed or replaced
 * @param statements executed in this database, those that begin and end transactions included
 * @param buffers pages that they have looked at
 */
record ServerCounts(long wal, long deadRows, long statements, long buffers) {
  private static final String ALL =
      """
      SELECT pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0'),
        (SELECT COALESCE(sum(n_tup_upd + n_tup_del), 0) FROM pg_stat_user_tables),
        COALESCE(sum(calls), 0), COALESCE(sum(shared_blks_hit + shared_blks_read), 0)
      FROM pg_stat_statements JOIN pg_database ON oid = dbid WHERE datname = current_database()\
      """;
  private static final String OTHERS =
      """
      SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()
        AND backend_type = 'client backend' AND pid <> pg_backend_pid()\
      """;

  /** Lets the server count statements, from 0: it keeps a limited number of them. */
  static void enable(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute("CREATE EXTENSION IF NOT EXISTS pg_stat_statements");
      statement.execute("SELECT pg_stat_statements_reset()");
    }
  }

  static ServerCounts now(Connection connection) throws SQLException {
    List<Long> counts = Rows.query(connection, ALL).get(0).stream().map(Long::parseLong).toList();
    return new ServerCounts(counts.get(0), counts.get(1), counts.get(2), counts.get(3));
  }

  /**
   * As soon as all others have gone: a session tells of its rows a while later, or when it ends.
   */
  static ServerCounts whenAlone(Connection connection) throws SQLException, InterruptedException {
    while (Rows.number(connection, OTHERS) > 0) {
      Thread.sleep(1);
    }
    return now(connection);
  }
}

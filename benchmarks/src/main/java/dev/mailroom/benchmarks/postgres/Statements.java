package dev.mailroom.benchmarks.postgres;

import dev.mailroom.benchmarks.Contender;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/** A contender whose statements are listed after each run, the dearest first: for tuning. */
record Statements(Contender contender, BenchDatabase database, Report report) implements Contender {
  private static final String DEAREST =
      """
      SELECT calls, rows, total_exec_time + total_plan_time, wal_bytes, wal_fpi,
        shared_blks_hit + shared_blks_read, left(regexp_replace(query, '\\s+', ' ', 'g'), 100)
      FROM pg_stat_statements ORDER BY total_exec_time + total_plan_time DESC LIMIT 20""";

  /** Has the server count; the one that the benchmark starts can. */
  static void count(BenchDatabase database) throws SQLException {
    database.execute("CREATE EXTENSION IF NOT EXISTS pg_stat_statements");
    database.execute("ALTER SYSTEM SET pg_stat_statements.track_planning = on");
    database.execute("SELECT pg_reload_conf()");
  }

  @Override
  public String name() {
    return contender.name();
  }

  @Override
  public double goal() {
    return contender.goal();
  }

  @Override
  public void prepare(int messages) throws Exception {
    contender.prepare(messages);
    database.execute("SELECT pg_stat_statements_reset()");
  }

  @Override
  public void run(int messages) throws Exception {
    contender.run(messages);
  }

  @Override
  public void finish(int messages) throws Exception {
    report.say("%n%s, per message:%n", name());
    report.say("| calls | rows | µs | WAL bytes | pages | full pages | statement |");
    report.say("|---|---|---|---|---|---|---|");
    try (Connection connection = database.connection();
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(DEAREST)) {
      while (row.next()) {
        report.say(
            "| %d | %.2f | %.2f | %.0f | %.2f | %.3f | %s |",
            row.getLong(1),
            row.getDouble(2) / messages,
            row.getDouble(3) * 1_000 / messages,
            row.getDouble(4) / messages,
            row.getDouble(6) / messages,
            row.getDouble(5) / messages,
            row.getString(7).replace('|', '/'));
      }
    }
    contender.finish(messages);
  }
}

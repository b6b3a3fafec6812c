package dev.mailroom.jdbc.process;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import javax.sql.DataSource;

/** Lets PostgreSQL break off what others are doing. It looks until it has seen that it did. */
enum Saboteur {
  /** Ends connections, as an administrator or a fail-over does. */
  TERMINATES {
    @Override
    void strike(Connection connection) throws SQLException {
      await(connection, "SELECT pg_terminate_backend(pid)::text FROM pg_stat_activity " + OTHERS);
    }
  },

  /** Cancels statements in the middle. */
  CANCELS {
    @Override
    void strike(Connection connection) throws SQLException {
      await(
          connection,
          "SELECT pg_cancel_backend(pid)::text FROM pg_stat_activity "
              + OTHERS
              + " AND state = 'active'");
    }
  },

  /** Makes statements wait until they run out of time. */
  TIMES_OUT {
    @Override
    void strike(Connection connection) throws SQLException {
      connection.setAutoCommit(false);
      run(connection, "LOCK TABLE mailroom_message IN ACCESS EXCLUSIVE MODE");
      Set<String> waiting = new HashSet<>(await(connection, WAITING));
      Set<String> left = new HashSet<>(waiting);
      while (left.equals(waiting)) {
        Stopwatch.rest();
        left.retainAll(query(connection, WAITING));
      }
      connection.rollback();
    }
  },

  /** Waits for somebody who waits for it; that one is the victim. */
  DEADLOCKS {
    @Override
    void strike(Connection connection) throws SQLException {
      connection.setAutoCommit(false);
      run(connection, "SET LOCAL deadlock_timeout = '1min'"); // the others look first
      run(connection, "LOCK TABLE mailroom_lease IN ACCESS EXCLUSIVE MODE");
      await(
          connection,
          """
          SELECT pid::text FROM pg_locks
          WHERE relation = 'mailroom_message'::regclass AND granted AND pid IN (
            SELECT pid FROM pg_locks WHERE relation = 'mailroom_lease'::regclass AND NOT granted)
          """);
      run(connection, "LOCK TABLE mailroom_message IN ACCESS EXCLUSIVE MODE");
      connection.rollback();
    }
  };

  private static final String OTHERS =
      "WHERE datname = current_database() AND backend_type = 'client backend'"
          + " AND pid <> pg_backend_pid()";
  private static final String WAITING =
      """
      SELECT l.pid || ' ' || a.query_start FROM pg_locks l JOIN pg_stat_activity a ON a.pid = l.pid
      WHERE l.relation = 'mailroom_message'::regclass AND NOT l.granted
      """;

  abstract void strike(Connection connection) throws SQLException;

  void strike(DataSource dataSource) throws SQLException {
    try (Connection connection = dataSource.getConnection()) {
      strike(connection);
    }
  }

  /** Asks until there is an answer. */
  private static List<String> await(Connection connection, String sql) throws SQLException {
    List<String> answer = query(connection, sql);
    while (answer.isEmpty()) {
      Stopwatch.rest();
      answer = query(connection, sql);
    }
    return answer;
  }

  private static List<String> query(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      List<String> answer = new ArrayList<>();
      while (rows.next()) {
        answer.add(rows.getString(1));
      }
      return answer;
    }
  }

  private static void run(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }
}

package dev.mailroom.benchmarks.comparison.peers;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import javax.sql.DataSource;

/** The tables of a peer, seen from outside. */
final class Tables {
  private final DataSource pool;

  Tables(DataSource pool) {
    this.pool = pool;
  }

  void execute(String... statements) throws SQLException {
    try (Connection connection = pool.getConnection();
        Statement statement = connection.createStatement()) {
      for (String sql : statements) {
        statement.execute(sql);
      }
    }
  }

  void drop(String... tables) throws SQLException {
    for (String table : tables) {
      execute("DROP TABLE IF EXISTS " + table);
    }
  }

  /** Counts what the rest of a query selects. */
  long count(String from) throws SQLException {
    try (Connection connection = pool.getConnection();
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("SELECT count(*) FROM " + from)) {
      row.next();
      return row.getLong(1);
    }
  }
}

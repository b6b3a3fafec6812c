package dev.mailroom.benchmarks.comparison.workload;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/** What a query answers, as texts. */
final class Rows {
  private Rows() {}

  static List<List<String>> query(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      List<List<String>> all = new ArrayList<>();
      while (rows.next()) {
        List<String> row = new ArrayList<>();
        for (int i = 1; i <= rows.getMetaData().getColumnCount(); i++) {
          row.add(rows.getString(i));
        }
        all.add(row);
      }
      return all;
    }
  }

  /** The only number of the only row. */
  static long number(Connection connection, String sql) throws SQLException {
    return Long.parseLong(query(connection, sql).get(0).get(0));
  }
}

package dev.mailroom.benchmarks.comparison.ours;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import javax.sql.DataSource;

/** The store's tables, seen from outside. */
record MailroomTables(DataSource pool) {
  private static final String MESSAGE = "mailroom_message";
  private static final List<String> NOT_DONE =
      List.of(MESSAGE, "mailroom_delayed", "mailroom_dead");
  private static final List<String> OTHERS =
      List.of("mailroom_lease", "mailroom_turn", "mailroom_turn_later", "mailroom_hold");

  /** Empties them, where they are; the names of channels stay, which another process may know. */
  void empty() throws SQLException {
    try (Connection connection = pool.getConnection();
        Statement statement = connection.createStatement()) {
      if (exist(connection)) {
        for (String table : NOT_DONE) {
          statement.execute("TRUNCATE TABLE " + table);
        }
        for (String table : OTHERS) {
          statement.execute("TRUNCATE TABLE " + table);
        }
      }
    }
  }

  private static boolean exist(Connection connection) throws SQLException {
    try (ResultSet tables =
        connection
            .getMetaData()
            .getTables(connection.getCatalog(), null, MESSAGE, new String[] {"TABLE"})) {
      return tables.next();
    }
  }

  /** How many messages are not completed. */
  long left() throws SQLException {
    long left = 0;
    try (Connection connection = pool.getConnection();
        Statement statement = connection.createStatement()) {
      for (String table : NOT_DONE) {
        try (ResultSet row = statement.executeQuery("SELECT count(*) FROM " + table)) {
          row.next();
          left += row.getLong(1);
        }
      }
    }
    return left;
  }
}

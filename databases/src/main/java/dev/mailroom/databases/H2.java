package dev.mailroom.databases;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcDataSource;

/** What the databases of H2 have in common. */
final class H2 {
  private H2() {}

  static DataSource dataSource(String url) {
    JdbcDataSource dataSource = new JdbcDataSource();
    dataSource.setURL(url);
    return dataSource;
  }

  /** Closes a database that would stay open in this JVM otherwise. */
  static void shutDown(String url) {
    try (Connection connection = dataSource(url).getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute("shutdown");
    } catch (SQLException e) {
      throw new IllegalStateException("H2 does not shut down", e);
    }
  }
}

package dev.mailroom.server;

import com.zaxxer.hikari.HikariConfig;
import dev.mailroom.errors.StoreException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Properties;

/**
 * Connects once, without the pool: a pool retries until its timeout, and then reports only that no
 * connection was available.
 */
final class ConnectionProbe {
  /** Seconds for PostgreSQL's driver and milliseconds for MariaDB's, if the URL says no other. */
  private static final String POSTGRES_PATIENCE = "5";

  private static final String MARIADB_PATIENCE = "5000";

  private ConnectionProbe() {}

  /**
   * Connects as the pool will, and reads what a damaged file cannot give.
   *
   * @throws StoreException saying what is wrong and what to do
   */
  static void connect(HikariConfig config, ConnectionFailure failure) {
    String url = config.getJdbcUrl();
    try (Connection connection = DriverManager.getConnection(url, properties(config));
        Statement statement = connection.createStatement();
        ResultSet row =
            statement.executeQuery(
                url.startsWith("jdbc:sqlite:")
                    ? "SELECT count(*) FROM sqlite_schema"
                    : "SELECT 1")) {
      row.next();
    } catch (SQLException e) {
      throw new StoreException(failure.explain(e), e);
    }
  }

  private static Properties properties(HikariConfig config) {
    Properties properties = new Properties();
    if (config.getJdbcUrl().startsWith("jdbc:postgresql:")) {
      properties.setProperty("loginTimeout", POSTGRES_PATIENCE);
    } else if (config.getJdbcUrl().startsWith("jdbc:mariadb:")) {
      properties.setProperty("connectTimeout", MARIADB_PATIENCE);
    }
    properties.putAll(config.getDataSourceProperties());
    if (config.getUsername() != null) {
      properties.setProperty("user", config.getUsername());
    }
    if (config.getPassword() != null) {
      properties.setProperty("password", config.getPassword());
    }
    return properties;
  }
}

package dev.mailroom.jdbc;

import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Properties;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** What can be known of the pool behind a data source. */
final class KnownPool {
  private final DataSource dataSource;
  private final @Nullable HikariDataSource pool;

  private KnownPool(DataSource dataSource, @Nullable HikariDataSource pool) {
    this.dataSource = dataSource;
    this.pool = pool;
  }

  static KnownPool of(DataSource dataSource) {
    try {
      if (dataSource instanceof HikariDataSource own) {
        return new KnownPool(dataSource, own);
      }
      if (dataSource.isWrapperFor(HikariDataSource.class)) {
        return new KnownPool(dataSource, dataSource.unwrap(HikariDataSource.class));
      }
    } catch (SQLException | RuntimeException e) {
      return new KnownPool(dataSource, null); // a wrapper that does not say what is in it
    }
    return new KnownPool(dataSource, null);
  }

  /** Whether one connection can be kept without leaving none. */
  boolean canSpareOne() {
    return pool == null || pool.getMaximumPoolSize() > 1;
  }

  /** How many transactions can be open at once beside a connection that is kept. */
  int transactions() {
    return pool == null ? Integer.MAX_VALUE : Math.max(1, pool.getMaximumPoolSize() - 1);
  }

  /** A connection for a long time: beside the pool if that can be, so that it takes none of it. */
  Connection connectBeside() throws SQLException {
    HikariDataSource known = pool;
    if (known == null || known.getJdbcUrl() == null) {
      return dataSource.getConnection();
    }
    Properties properties = new Properties();
    properties.putAll(known.getDataSourceProperties());
    put(properties, "user", known.getUsername());
    put(properties, "password", known.getPassword());
    return DriverManager.getConnection(known.getJdbcUrl(), properties);
  }

  private static void put(Properties properties, String name, @Nullable String value) {
    if (value != null) {
      properties.setProperty(name, value);
    }
  }
}

package dev.mailroom.jdbc;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Properties;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * A pool of HikariCP. The only class that needs HikariCP: using it without throws {@link
 * NoClassDefFoundError}.
 */
final class HikariKnownPool extends KnownPool {
  private final HikariDataSource pool;

  private HikariKnownPool(DataSource dataSource, HikariDataSource pool) {
    super(dataSource);
    this.pool = pool;
  }

  /** A pool that the store opened, and how to close it. */
  record Opened(DataSource source, Runnable close) {}

  /** Opens a pool, and fails at once if the database cannot be reached. */
  static Opened open(String url, @Nullable String user, @Nullable String password, int size) {
    HikariConfig config = new HikariConfig();
    config.setPoolName("mailroom");
    config.setJdbcUrl(url);
    config.setUsername(user);
    config.setPassword(password);
    config.setMaximumPoolSize(size);
    HikariDataSource opened = new HikariDataSource(config);
    return new Opened(opened, opened::close);
  }

  /** The pool that the data source is or wraps, if it is one. */
  static Optional<KnownPool> find(DataSource dataSource) {
    try {
      if (dataSource instanceof HikariDataSource own) {
        return Optional.of(new HikariKnownPool(dataSource, own));
      }
      if (dataSource.isWrapperFor(HikariDataSource.class)) {
        return Optional.of(
            new HikariKnownPool(dataSource, dataSource.unwrap(HikariDataSource.class)));
      }
    } catch (SQLException | RuntimeException e) {
      return Optional.empty(); // a wrapper that does not say what is in it
    }
    return Optional.empty();
  }

  @Override
  OptionalInt size() {
    return OptionalInt.of(pool.getMaximumPoolSize());
  }

  @Override
  Connection connectBeside() throws SQLException {
    if (pool.getJdbcUrl() == null) {
      return super.connectBeside();
    }
    Properties properties = new Properties();
    properties.putAll(pool.getDataSourceProperties());
    put(properties, "user", pool.getUsername());
    put(properties, "password", pool.getPassword());
    return DriverManager.getConnection(pool.getJdbcUrl(), properties);
  }

  private static void put(Properties properties, String name, @Nullable String value) {
    if (value != null) {
      properties.setProperty(name, value);
    }
  }
}

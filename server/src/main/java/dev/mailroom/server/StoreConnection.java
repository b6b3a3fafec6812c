package dev.mailroom.server;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.mailroom.errors.StoreException;
import dev.mailroom.jdbc.JdbcStore;
import dev.mailroom.options.StorageRetry;
import dev.mailroom.server.config.ServerOptions.StoreOptions;
import dev.mailroom.time.TimeSource;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** The store and its pool of connections. */
public final class StoreConnection implements AutoCloseable {
  /** How SQLite opens a file without creating it. */
  private static final String SQLITE_OPEN_READ_WRITE = "2";

  /**
   * How writes are repeated: once, which is enough for a connection that was lost. Senders retry,
   * and do not wait for long: a request waits for a silent database as long as a statement may
   * take, two or three seconds for its end, and once for another connection.
   */
  static final StorageRetry RETRY = new StorageRetry(1, StorageRetry.defaults().backoff());

  /** The longest wait for a connection, and for the database to answer when one is made. */
  private static final Duration CONNECTION_TIMEOUT = Duration.ofSeconds(3);

  /** The longest that a connection is tried before it is lent; several fit into the wait. */
  private static final Duration VALIDATION_TIMEOUT = Duration.ofSeconds(1);

  /** How much longer than a statement may take the database may be silent. */
  private static final Duration NETWORK_GRACE = Duration.ofSeconds(2);

  /** SQLite has one writer; more connections than a few only read. */
  private static final int SQLITE_CONNECTIONS = 4;

  /** What {@code PRAGMA synchronous} says for FULL; EXTRA is more. */
  private static final int FULL = 2;

  private final HikariDataSource pool;
  private final JdbcStore store;

  private StoreConnection(HikariDataSource pool, JdbcStore store) {
    this.pool = pool;
    this.store = store;
  }

  /**
   * Connects, without touching the tables. The file of an embedded store is created.
   *
   * @param directory where a relative path of a file begins
   * @throws StoreException if that is not possible, or the store would not be durable
   */
  public static StoreConnection open(StoreOptions options, Path directory) {
    if (options.isEmbedded()) {
      SqliteStoreFile.of(options, directory).createDirectory();
    }
    return open(options, directory, config(options, directory));
  }

  /**
   * Connects to look at what is there, and creates and changes nothing.
   *
   * @throws StoreException if that is not possible; {@link SqliteStoreFile#isMissing} says before
   *     whether there is anything to look at
   */
  public static StoreConnection inspect(StoreOptions options, Path directory) {
    HikariConfig config = config(options, directory);
    if (options.isEmbedded()) {
      config.getDataSourceProperties().remove("journal_mode");
      config.addDataSourceProperty("open_mode", SQLITE_OPEN_READ_WRITE);
    }
    return open(options, directory, config);
  }

  private static StoreConnection open(StoreOptions options, Path directory, HikariConfig config) {
    ConnectionFailure failure = ConnectionFailure.of(options, directory);
    ConnectionProbe.connect(config, failure);
    HikariDataSource pool = new HikariDataSource(config);
    try {
      if (options.isEmbedded()) {
        requireDurable(pool, failure);
      }
      JdbcStore store =
          JdbcStore.builder(pool)
              .schema(options.schema())
              .statementTimeout(options.timeout())
              .networkGrace(NETWORK_GRACE)
              .build();
      return new StoreConnection(pool, store);
    } catch (RuntimeException e) {
      pool.close();
      throw e;
    }
  }

  private static HikariConfig config(StoreOptions options, Path directory) {
    HikariConfig config = new HikariConfig();
    config.setPoolName("mailroom");
    config.setConnectionTimeout(CONNECTION_TIMEOUT.toMillis());
    config.setValidationTimeout(VALIDATION_TIMEOUT.toMillis());
    // Connecting is tried before, where it gives a better message.
    config.setInitializationFailTimeout(-1);
    config.setUsername(options.user());
    if (options.password() != null) {
      config.setPassword(options.password().reveal());
    }
    if (options.isEmbedded()) {
      config.setJdbcUrl(SqliteStoreFile.of(options, directory).url());
      config.setMaximumPoolSize(Math.min(SQLITE_CONNECTIONS, options.connections()));
      config.addDataSourceProperty("journal_mode", "WAL");
      config.addDataSourceProperty("synchronous", "FULL");
      config.addDataSourceProperty("busy_timeout", "10000");
    } else {
      // One driver for both: MariaDB's, which knows the protocol under that name only.
      config.setJdbcUrl(options.url().replaceFirst("^jdbc:mysql:", "jdbc:mariadb:"));
      config.setMaximumPoolSize(options.connections());
      if (options.url().startsWith("jdbc:postgresql:")) {
        // Cancelling a statement takes a connection of its own, and the statement waits for that.
        config.addDataSourceProperty(
            "cancelSignalTimeout", String.valueOf(NETWORK_GRACE.toSeconds()));
      }
    }
    return config;
  }

  /** An acknowledged event must survive a power failure, whatever the URL says. */
  private static void requireDurable(DataSource source, ConnectionFailure failure) {
    try (Connection connection = source.getConnection();
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("PRAGMA synchronous")) {
      int level = row.next() ? row.getInt(1) : 0;
      if (level < FULL) {
        throw new StoreException(
            "The SQLite file would be opened with synchronous="
                + level
                + ", and acknowledged events could be lost: take 'synchronous' out of store.url.");
      }
    } catch (SQLException e) {
      throw new StoreException(failure.explain(e), e);
    }
  }

  /** The store. */
  public JdbcStore store() {
    return store;
  }

  /** The connections that the store uses. */
  public DataSource connections() {
    return pool;
  }

  /** What is wrong with the tables, or null if nothing is. */
  public @Nullable String schemaProblem() {
    try {
      store.validate();
      return null;
    } catch (StoreException e) {
      return e.getMessage();
    }
  }

  /**
   * How far the database's clock is ahead of this host's; nothing for a file of this host.
   *
   * @throws SQLException if it cannot be asked
   */
  public Duration clockSkew(TimeSource time) throws SQLException {
    try (Connection connection = pool.getConnection();
        Statement statement = connection.createStatement()) {
      String product = connection.getMetaData().getDatabaseProductName();
      String epoch =
          switch (product) {
            case "PostgreSQL" -> "SELECT extract(epoch FROM clock_timestamp()) * 1000";
            case "SQLite" -> "SELECT (julianday('now') - 2440587.5) * 86400000";
            default -> "SELECT UNIX_TIMESTAMP(NOW(3)) * 1000";
          };
      long before = time.now().toEpochMilli();
      try (ResultSet row = statement.executeQuery(epoch)) {
        row.next();
        long there = row.getBigDecimal(1).longValue();
        long here = (before + time.now().toEpochMilli()) / 2;
        return Duration.ofMillis(there - here);
      }
    }
  }

  @Override
  public void close() {
    store.close();
    pool.close();
  }
}

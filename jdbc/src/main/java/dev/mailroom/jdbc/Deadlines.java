package dev.mailroom.jdbc;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How long a statement may take. The server is asked to cancel what takes longer, by the driver or
 * by a watch; should the server not even answer to that, reading from it ends somewhat later, and
 * the connection with it.
 */
final class Deadlines implements AutoCloseable {
  /** For work that takes as long as it takes. */
  static final Deadlines NONE = new Deadlines(null);

  private final int seconds;
  private final int silenceMillis;
  private final @Nullable StatementWatch watch;

  /**
   * The same for all statements.
   *
   * @param most the longest time, in effect rounded up to seconds, or null for any
   */
  Deadlines(@Nullable Duration most) {
    this(most, JdbcStoreBuilder.DEFAULT_NETWORK_GRACE);
  }

  Deadlines(@Nullable Duration most, Duration grace) {
    this(most, grace, false);
  }

  private Deadlines(@Nullable Duration most, Duration grace, boolean watches) {
    this.seconds = most == null ? 0 : (int) Math.max(1, most.plusNanos(999_999_999).toSeconds());
    this.silenceMillis = most == null ? 0 : (int) most.plus(grace).toMillis();
    this.watch = watches && most != null ? new StatementWatch(seconds) : null;
  }

  /**
   * The same for a driver that does with a timer for every statement what a watch does with one.
   */
  static Deadlines watching(@Nullable Duration most, Duration grace) {
    return new Deadlines(most, grace, true);
  }

  void limit(PreparedStatement statement) throws SQLException {
    if (seconds > 0 && watch == null) {
      statement.setQueryTimeout(seconds);
    }
  }

  /** Carries a statement out. */
  interface Execution<T> {
    T run(PreparedStatement statement) throws SQLException;
  }

  /** Carries a statement out that {@link #limit} has seen. */
  <T> T run(PreparedStatement statement, Execution<T> execution) throws SQLException {
    if (watch == null) {
      return execution.run(statement);
    }
    watch.begin(statement);
    try {
      return execution.run(statement);
    } finally {
      watch.end(statement);
    }
  }

  /** Limits how long the connection waits for the network; answers with what it was. */
  int guard(Connection connection) throws SQLException {
    if (silenceMillis == 0) {
      return 0;
    }
    int before = connection.getNetworkTimeout();
    connection.setNetworkTimeout(Runnable::run, silenceMillis);
    return before;
  }

  /** Undoes what {@link #guard} did, before the connection goes back to its owner. */
  void unguard(Connection connection, int before) throws SQLException {
    if (silenceMillis > 0 && !connection.isClosed()) {
      connection.setNetworkTimeout(Runnable::run, before);
    }
  }

  @Override
  public void close() {
    if (watch != null) {
      watch.close();
    }
  }
}

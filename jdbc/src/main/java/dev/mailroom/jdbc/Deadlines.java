package dev.mailroom.jdbc;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How long a statement may take. The driver asks the server to cancel what takes longer; should the
 * server not even answer to that, reading from it ends somewhat later, and the connection with it.
 */
final class Deadlines {
  /** For work that takes as long as it takes. */
  static final Deadlines NONE = new Deadlines(null);

  /** How much longer the network may be silent than a statement may take. */
  private static final Duration GRACE = Duration.ofSeconds(10);

  private final int seconds;
  private final int silenceMillis;

  /**
   * The same for all statements.
   *
   * @param most the longest time, in effect rounded up to seconds, or null for any
   */
  Deadlines(@Nullable Duration most) {
    this(most, GRACE);
  }

  Deadlines(@Nullable Duration most, Duration grace) {
    this.seconds = most == null ? 0 : (int) Math.max(1, most.plusNanos(999_999_999).toSeconds());
    this.silenceMillis = most == null ? 0 : (int) most.plus(grace).toMillis();
  }

  void limit(PreparedStatement statement) throws SQLException {
    if (seconds > 0) {
      statement.setQueryTimeout(seconds);
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
}

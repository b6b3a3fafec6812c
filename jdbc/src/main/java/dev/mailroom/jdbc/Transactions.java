package dev.mailroom.jdbc;

import dev.mailroom.TimeSource;
import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Runs verbs in transactions: of the store's own, or the caller's. */
final class Transactions {
  private static final Logger LOG = LoggerFactory.getLogger(JdbcStore.class);

  /** How often what lost against another transaction is repeated before the caller hears of it. */
  private static final int TRIES = 20;

  private final DataSource dataSource;
  private final Dialect dialect;
  private final Schema schema;
  private final @Nullable TimeSource time;

  Transactions(DataSource dataSource, Dialect dialect, Schema schema, @Nullable TimeSource time) {
    this.dataSource = dataSource;
    this.dialect = dialect;
    this.schema = schema;
    this.time = time;
  }

  /** What happens in a transaction. Throwing anything rolls it back. */
  interface Work<T> {
    T run(Session session) throws SQLException;
  }

  /**
   * Runs the work in a transaction of its own and commits. What the database has undone because of
   * others is repeated: nothing of it was seen by anyone.
   */
  <T> T run(String what, Work<T> work) {
    for (int tries = 1; ; tries++) {
      try {
        return runOnce(work);
      } catch (SQLException e) {
        if (tries == TRIES || !SqlErrors.isConflict(e)) {
          throw SqlErrors.translate(what, e);
        }
      }
    }
  }

  /** Runs the work inside of the caller's transaction, whose end is the caller's business. */
  <T> T join(String what, Connection connection, Work<T> work) {
    try {
      return work.run(session(connection));
    } catch (SQLException e) {
      throw SqlErrors.translate(what, e);
    }
  }

  /** A connection in a transaction that somebody ends with {@link #end}. */
  Connection open() throws SQLException {
    Connection connection = dataSource.getConnection();
    try {
      connection.setAutoCommit(true);
      dialect.begin(connection);
      return connection;
    } catch (SQLException | RuntimeException e) {
      close(connection);
      throw e;
    }
  }

  /** Ends the transaction of a connection from {@link #open} and gives the connection back. */
  void end(Connection connection, boolean commit) throws SQLException {
    try {
      if (commit) {
        dialect.commit(connection);
      } else {
        dialect.rollback(connection);
      }
    } finally {
      close(connection);
    }
  }

  /** Runs the work statement by statement: each is its own transaction, where that will do. */
  <T> T each(String what, Work<T> work) {
    if (!dialect.needsNoTransaction()) {
      return run(what, work);
    }
    try {
      Connection connection = dataSource.getConnection();
      try {
        connection.setAutoCommit(true);
        return work.run(session(connection));
      } finally {
        close(connection);
      }
    } catch (SQLException e) {
      throw SqlErrors.translate(what, e);
    }
  }

  private <T> T runOnce(Work<T> work) throws SQLException {
    Connection connection = open();
    T answer;
    try {
      Session session = session(connection);
      dialect.prepare(session);
      answer = work.run(session);
      dialect.commit(connection);
    } catch (SQLException | RuntimeException e) {
      undo(connection, e);
      throw e;
    } finally {
      close(connection);
    }
    return answer;
  }

  private void undo(Connection connection, Exception cause) {
    try {
      dialect.rollback(connection);
    } catch (SQLException e) {
      cause.addSuppressed(e);
    }
  }

  private Session session(Connection connection) {
    Long now = time == null ? null : Micros.floor(time.now());
    return new Session(connection, dialect, schema, now);
  }

  /** What is done is done: a connection that cannot be given back must not look like a failure. */
  private static void close(Connection connection) {
    try {
      connection.setAutoCommit(true);
      connection.close();
    } catch (SQLException e) {
      LOG.debug("A connection could not be given back.", e);
    }
  }
}

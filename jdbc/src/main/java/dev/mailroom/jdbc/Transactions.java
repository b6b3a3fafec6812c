package dev.mailroom.jdbc;

import dev.mailroom.time.TimeSource;
import java.sql.Connection;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Runs verbs in transactions: of the store's own, or the caller's. */
final class Transactions {
  private static final Logger LOG = LoggerFactory.getLogger(JdbcStore.class);

  /** How often what lost against another transaction is repeated before the caller hears of it. */
  private static final int TRIES = 20;

  private final Connections connections;
  private final Dialect dialect;
  private final Schema schema;
  private final @Nullable TimeSource time;
  private final Deadlines deadlines;
  private final @Nullable WriterTurn writer;

  Transactions(
      Connections connections,
      Dialect dialect,
      Schema schema,
      @Nullable TimeSource time,
      Deadlines deadlines) {
    this(
        connections,
        dialect,
        schema,
        time,
        deadlines,
        dialect.hasManyWriters() ? null : new WriterTurn());
  }

  private Transactions(
      Connections connections,
      Dialect dialect,
      Schema schema,
      @Nullable TimeSource time,
      Deadlines deadlines,
      @Nullable WriterTurn writer) {
    this.connections = connections;
    this.dialect = dialect;
    this.schema = schema;
    this.time = time;
    this.deadlines = deadlines;
    this.writer = writer;
  }

  /** The same on other connections. */
  Transactions through(Connections others) {
    return new Transactions(others, dialect, schema, time, deadlines, writer);
  }

  /** The same for work that takes as long as it takes. */
  Transactions unhurried() {
    return new Transactions(connections, dialect, schema, time, Deadlines.NONE, writer);
  }

  /** The main set of tables. */
  Schema schema() {
    return schema;
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
    return briefly(
        what,
        session -> {
          dialect.prepare(session);
          return work.run(session);
        });
  }

  /** The same for work whose statements bring along what they need. */
  <T> T briefly(String what, Work<T> work) {
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
      throw SqlErrors.translateJoined(what, e, connection);
    }
  }

  /** A connection in a transaction that somebody ends with {@link #end}. */
  Connection open() throws SQLException {
    if (writer != null) {
      writer.take();
    }
    Connection connection = null;
    boolean begun = false;
    try {
      connection = connections.take();
      Connection taken = connection;
      guarded(taken, () -> begun(taken));
      begun = true;
      return connection;
    } finally {
      if (!begun) {
        close(connection);
      }
    }
  }

  private Connection begun(Connection connection) throws SQLException {
    Connections.endTransaction(connection);
    dialect.begin(connection);
    return connection;
  }

  /** The same, tried again if another was faster to begin. */
  Connection openPatiently() throws SQLException {
    for (int tries = 1; ; tries++) {
      try {
        return open();
      } catch (SQLException e) {
        if (tries == TRIES || !SqlErrors.isConflict(e)) {
          throw e;
        }
      }
    }
  }

  /** Ends the transaction of a connection from {@link #open} and gives the connection back. */
  void end(Connection connection, boolean commit) throws SQLException {
    try {
      finished(connection, () -> ended(connection, commit));
    } finally {
      close(connection);
    }
  }

  private Connection ended(Connection connection, boolean commit) throws SQLException {
    if (!commit) {
      dialect.rollback(connection);
      return connection;
    }
    try {
      dialect.commit(connection);
      return connection;
    } catch (SQLException | RuntimeException | Error e) {
      undo(connection, e); // SQLite leaves a transaction open that cannot be committed yet
      throw e;
    }
  }

  /** Runs the work statement by statement: each is its own transaction, where that will do. */
  <T> T each(String what, Work<T> work) {
    if (!dialect.needsNoTransaction()) {
      return run(what, work);
    }
    try {
      Connection connection = connections.take();
      try {
        return guarded(
            connection,
            () -> {
              Connections.endTransaction(connection);
              return work.run(session(connection));
            });
      } finally {
        connections.giveBack(connection);
      }
    } catch (SQLException e) {
      throw SqlErrors.translate(what, e);
    }
  }

  private <T> T runOnce(Work<T> work) throws SQLException {
    Connection connection = open();
    try {
      return finished(connection, () -> commit(connection, work));
    } finally {
      close(connection);
    }
  }

  private <T> T commit(Connection connection, Work<T> work) throws SQLException {
    try {
      T answer = work.run(session(connection));
      dialect.commit(connection);
      return answer;
    } catch (SQLException | RuntimeException | Error e) {
      undo(connection, e);
      throw e;
    }
  }

  /** What is done on a connection that must not be silent for too long. */
  private interface Use<T> {
    T run() throws SQLException;
  }

  private <T> T guarded(Connection connection, Use<T> use) throws SQLException {
    int before = deadlines.guard(connection);
    try {
      return use.run();
    } finally {
      unguard(connection, before);
    }
  }

  /**
   * The same, after which the connection is in no transaction: to say that may take the network.
   */
  private <T> T finished(Connection connection, Use<T> use) throws SQLException {
    return guarded(
        connection,
        () -> {
          try {
            return use.run();
          } finally {
            leave(connection);
          }
        });
  }

  /** What was done is done. */
  private static void leave(Connection connection) {
    try {
      Connections.endTransaction(connection);
    } catch (SQLException e) {
      LOG.debug("A connection is left as it is.", e);
    }
  }

  private void unguard(Connection connection, int before) {
    try {
      deadlines.unguard(connection, before);
    } catch (SQLException e) {
      LOG.debug("A connection keeps the limit on its silence.", e);
    }
  }

  private void undo(Connection connection, Throwable cause) {
    try {
      dialect.rollback(connection);
    } catch (SQLException e) {
      cause.addSuppressed(e);
    }
    if (cause instanceof SQLException error && SqlErrors.isReadOnly(error)) {
      abort(connection);
    }
  }

  /** It leads to a server that has given its place to another one, and would do so for ever. */
  private static void abort(Connection connection) {
    try {
      connection.abort(Runnable::run);
    } catch (SQLException e) {
      LOG.debug("A connection to a read-only server could not be closed.", e);
    }
  }

  private Session session(Connection connection) {
    Long now = time == null ? null : Micros.floor(time.now());
    return new Session(connection, dialect, schema, now, deadlines);
  }

  private void close(@Nullable Connection connection) {
    try {
      if (connection != null) {
        connections.giveBack(connection);
      }
    } finally {
      if (writer != null) {
        writer.giveBack();
      }
    }
  }
}

package dev.mailroom.jdbc;

import dev.mailroom.errors.StoreException;
import dev.mailroom.errors.TransientStoreException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLNonTransientConnectionException;
import java.sql.SQLRecoverableException;
import java.sql.SQLTransientException;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** What an error of a driver means. */
final class SqlErrors {
  /** The state of an error that says: others were faster, begin again. */
  static final String CONFLICT = "40001";

  private static final Set<String> ROLLED_BACK = Set.of(CONFLICT, "40P01", "40000");
  private static final Set<String> PASSING =
      Set.of("55P03", "57014", "57P01", "57P02", "57P03", "57P05", "HYT00", "70100");

  /** PostgreSQL: no memory, disk space, connections or locks are left. */
  private static final String SHORTAGE = "53";

  private static final Set<String> MISSING_TABLE = Set.of("42P01", "42S02", "42S04");
  private static final Set<String> DUPLICATE = Set.of("23505", "23000");

  /** MySQL: deadlock, changed since last read. */
  private static final Set<Integer> MYSQL_ROLLED_BACK = Set.of(1213, 1020);

  /** MySQL: this server is read-only, as a former primary is. */
  private static final Set<Integer> MYSQL_READ_ONLY = Set.of(1290, 1836);

  private static final String READ_ONLY = "25006";

  /** PostgreSQL: an earlier statement failed, and its error hangs behind this one. */
  private static final String ABORTED = "25P02";

  /** MySQL: a lock was waited for too long; no disk space, memory, room in a table or locks. */
  private static final Set<Integer> MYSQL_PASSING = Set.of(1205, 1021, 1041, 1114, 1206);

  /** H2: lock timeout, deadlock, row changed by another. */
  private static final Set<Integer> H2_ROLLED_BACK = Set.of(40001, 50200, 90131);

  private static final int H2_READ_ONLY = 90097;

  private static final int SQLITE_BUSY = 5;
  private static final int SQLITE_LOCKED = 6;
  private static final int SQLITE_READ_ONLY = 8;
  private static final int SQLITE_IO_ERROR = 10;
  private static final int SQLITE_FULL = 13;
  private static final int SQLITE_CONSTRAINT = 19;

  private SqlErrors() {}

  /** The exception for callers. */
  static StoreException translate(String what, SQLException error) {
    String text = "The database failed to " + what + ": " + error.getMessage();
    if (any(error, SqlErrors::isAborted)) {
      text +=
          ". The transaction was aborted by an earlier error, and the database refuses everything"
              + " until it ends: roll it back, and begin another one.";
    } else if (isReadOnly(error)) {
      text += ". The server or the transaction is read-only.";
    } else if (any(error, SqlErrors::isReadOnlyFile)) {
      text += ". The database is read-only: let this user write to its file.";
    } else if (any(error, SqlErrors::isMissingTable)) {
      text +=
          ". Are the tables there? Call migrate(), or build the store with migrateAtStart(true).";
    }
    return isTransient(error)
        ? new TransientStoreException(text, error)
        : new StoreException(text, error);
  }

  /** The exception for callers whose own transaction was joined. */
  static StoreException translateJoined(String what, SQLException error, Connection connection) {
    if (isReadOnly(error) && isReadOnly(connection)) {
      return new StoreException(
          "The caller's transaction is read-only, so the store cannot "
              + what
              + " in it: begin one that may write. The database said: "
              + error.getMessage(),
          error);
    }
    return translate(what, error);
  }

  private static boolean isReadOnly(Connection connection) {
    try {
      return connection.isReadOnly();
    } catch (SQLException e) {
      return false; // the first error says more
    }
  }

  /** Whether repeating the call can help. */
  static boolean isTransient(SQLException error) {
    return any(
        error,
        each -> {
          String state = state(each);
          return isRolledBack(each)
              || state.startsWith("08")
              || state.startsWith(SHORTAGE)
              || PASSING.contains(state)
              || MYSQL_PASSING.contains(each.getErrorCode())
              || saysReadOnly(each)
              || isSqlite(each, SQLITE_IO_ERROR)
              || isSqlite(each, SQLITE_FULL)
              || each instanceof SQLTransientException
              || each instanceof SQLRecoverableException
              || each instanceof SQLNonTransientConnectionException;
        });
  }

  /** Whether the server takes no writes, since another one has taken its place. */
  static boolean isReadOnly(SQLException error) {
    return any(error, SqlErrors::saysReadOnly);
  }

  private static boolean saysReadOnly(SQLException error) {
    return READ_ONLY.equals(state(error)) || MYSQL_READ_ONLY.contains(error.getErrorCode());
  }

  /** Whether the database has certainly undone the transaction because of others. */
  static boolean isConflict(SQLException error) {
    return any(error, SqlErrors::isRolledBack);
  }

  /** Whether a row with that key is there already. */
  static boolean isDuplicate(SQLException error) {
    return any(error, each -> DUPLICATE.contains(state(each)) || isSqlite(each, SQLITE_CONSTRAINT));
  }

  private static boolean isAborted(SQLException error) {
    return ABORTED.equals(state(error));
  }

  private static boolean isReadOnlyFile(SQLException error) {
    return error.getErrorCode() == H2_READ_ONLY || isSqlite(error, SQLITE_READ_ONLY);
  }

  private static boolean isMissingTable(SQLException error) {
    return MISSING_TABLE.contains(state(error))
        || (isSqlite(error) && String.valueOf(error.getMessage()).contains("no such table"));
  }

  private static boolean isRolledBack(SQLException error) {
    int code = error.getErrorCode();
    return ROLLED_BACK.contains(state(error))
        || MYSQL_ROLLED_BACK.contains(code)
        || H2_ROLLED_BACK.contains(code)
        || isSqlite(error, SQLITE_BUSY)
        || isSqlite(error, SQLITE_LOCKED);
  }

  private static boolean isSqlite(SQLException error, int code) {
    return isSqlite(error) && (error.getErrorCode() & 0xFF) == code;
  }

  private static boolean isSqlite(SQLException error) {
    return error.getClass().getName().startsWith("org.sqlite.");
  }

  static String state(SQLException error) {
    String state = error.getSQLState();
    return state == null ? "" : state;
  }

  /** A driver may wrap what matters, or hang it behind the failure of a batch. */
  static boolean any(SQLException error, Predicate<SQLException> test) {
    SQLException each = error;
    for (int depth = 0; each != null && depth < 10; depth++) {
      if (test.test(each)) {
        return true;
      }
      each = following(each);
    }
    return false;
  }

  private static @Nullable SQLException following(SQLException error) {
    if (error.getNextException() != null) {
      return error.getNextException();
    }
    return error.getCause() instanceof SQLException cause && cause != error ? cause : null;
  }
}

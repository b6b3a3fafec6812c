package dev.mailroom.jdbc;

import dev.mailroom.errors.StoreException;
import dev.mailroom.errors.TransientStoreException;
import java.sql.SQLException;
import java.util.Set;
import java.util.regex.Pattern;

/** Says why the database cannot be connected to when the store is built, and what to do. */
final class ConnectionProblem {
  private static final Pattern SECRET =
      Pattern.compile("((?:password|passwd|pwd)=)[^&;,\\s]*", Pattern.CASE_INSENSITIVE);

  /** What precedes the host in a URL: user:password@. */
  private static final Pattern USER_INFO = Pattern.compile("//\\S*@");

  /** MySQL: the user or the password is wrong. */
  private static final Set<Integer> MYSQL_REFUSED = Set.of(1045, 1698);

  /** MySQL: the user may not use this database, which need not be there. */
  private static final int MYSQL_NO_RIGHTS = 1044;

  private static final int MYSQL_UNKNOWN_DATABASE = 1049;
  private static final Set<Integer> H2_UNKNOWN_DATABASE = Set.of(90013, 90146, 90149);

  private ConnectionProblem() {}

  static StoreException explain(SQLException error) {
    String said = firstLine(root(error));
    Throwable cause = isSafe(error) ? error : null;
    if (SqlErrors.any(error, each -> each.getErrorCode() == MYSQL_NO_RIGHTS)) {
      return new StoreException(
          "There is no such database, or the user may not use it ("
              + said
              + "). Create it, grant the user rights on it, or correct the URL.",
          cause);
    }
    if (SqlErrors.any(error, ConnectionProblem::isRefused)) {
      return new StoreException(
          "The database refuses the user or the password ("
              + said
              + "). Check both, and that this user may connect to this database.",
          cause);
    }
    if (SqlErrors.any(error, ConnectionProblem::isUnknownDatabase)) {
      return new StoreException(
          "The server has no such database (" + said + "). Create it, or correct the URL.", cause);
    }
    String text = "The database cannot be connected to (" + said + ").";
    return SqlErrors.isTransient(error)
        ? new TransientStoreException(
            text + " Check that it runs, host and port, and the network.", cause)
        : new StoreException(text + " Check the URL and the data source.", cause);
  }

  /** An error of the pool itself, without a password that its text may contain. */
  static RuntimeException explain(RuntimeException error) {
    return isSafe(error)
        ? error
        : new StoreException(
            "The connection pool cannot be opened ("
                + redacted(String.valueOf(error.getMessage()))
                + "). Check the URL.");
  }

  private static boolean isRefused(SQLException error) {
    return SqlErrors.state(error).startsWith("28") || MYSQL_REFUSED.contains(error.getErrorCode());
  }

  private static boolean isUnknownDatabase(SQLException error) {
    return SqlErrors.state(error).equals("3D000")
        || error.getErrorCode() == MYSQL_UNKNOWN_DATABASE
        || H2_UNKNOWN_DATABASE.contains(error.getErrorCode());
  }

  /** A pool says only that it has no connection. */
  private static SQLException root(SQLException error) {
    SQLException root = error;
    while (root.getCause() instanceof SQLException cause) {
      root = cause;
    }
    return root;
  }

  private static String firstLine(SQLException error) {
    String text = String.valueOf(error.getMessage()).strip().lines().findFirst().orElse("");
    return redacted(text);
  }

  private static String redacted(String text) {
    return USER_INFO.matcher(SECRET.matcher(text).replaceAll("$1***")).replaceAll("//***@");
  }

  /** Whether no message of the error, nor of its causes, contains a password. */
  private static boolean isSafe(Exception error) {
    for (Throwable each = error; each != null; each = each.getCause()) {
      String text = String.valueOf(each.getMessage());
      if (!redacted(text).equals(text)) {
        return false;
      }
    }
    return true;
  }
}

package dev.mailroom.server;

import dev.mailroom.server.config.Redaction;
import dev.mailroom.server.config.ServerOptions.StoreOptions;
import java.io.IOException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Says why a database cannot be connected to, and what to do, by what its driver reports: the class
 * of the first cause, the SQL state, and MySQL's and SQLite's own numbers.
 */
final class ConnectionFailure {
  private static final int SQLITE_BUSY = 5;
  private static final int SQLITE_READ_ONLY = 8;
  private static final int SQLITE_INPUT_OUTPUT = 10;
  private static final int SQLITE_CORRUPT = 11;
  private static final int SQLITE_FULL = 13;
  private static final int SQLITE_CANNOT_OPEN = 14;
  private static final int SQLITE_NOT_A_DATABASE = 26;

  private static final int MYSQL_TOO_MANY_CONNECTIONS = 1040;
  private static final int MYSQL_NO_ACCESS_TO_DATABASE = 1044;
  private static final int MYSQL_ACCESS_DENIED = 1045;
  private static final int MYSQL_UNKNOWN_DATABASE = 1049;

  private static final String ANOTHER_PLACE =
      "Let this user write to it, or set store.url to another path.";

  private final StoreOptions options;
  private final @Nullable SqliteStoreFile file;

  private ConnectionFailure(StoreOptions options, @Nullable SqliteStoreFile file) {
    this.options = options;
    this.file = file;
  }

  /** Explains failures of the store that the options name. */
  static ConnectionFailure of(StoreOptions options, Path directory) {
    return new ConnectionFailure(
        options, options.isEmbedded() ? SqliteStoreFile.of(options, directory) : null);
  }

  /** One sentence on what is wrong, and one on what to do. */
  String explain(SQLException error) {
    SQLException first = error; // a pool says only that it has no connection
    while (first.getCause() instanceof SQLException cause) {
      first = cause;
    }
    return file == null ? ofServer(first) : ofFile(first, file);
  }

  private String ofServer(SQLException error) {
    String where = options.shown();
    Throwable network = network(error);
    if (network instanceof UnknownHostException) {
      String host = said(network).split(":", 2)[0];
      return "The database's host '%s' is unknown. Correct store.url (%s), or check DNS."
          .formatted(host, where);
    }
    if (network instanceof SocketTimeoutException || isTimeout(error)) {
      return "The database at %s does not answer in time. Check host and port in store.url, and the"
              .formatted(where)
          + " network and its firewalls.";
    }
    if (network instanceof ConnectException || network instanceof NoRouteToHostException) {
      return "No database listens at %s (%s). Start it, or correct host and port in store.url."
          .formatted(where, said(network).toLowerCase(Locale.ROOT));
    }
    String state = String.valueOf(error.getSQLState());
    int number = isMySql() ? error.getErrorCode() : 0;
    if (number == MYSQL_NO_ACCESS_TO_DATABASE || state.equals("42501")) {
      return "The database refuses this user (%s). Grant the user access to it, or set store.user."
          .formatted(said(error));
    }
    if (number == MYSQL_ACCESS_DENIED || state.startsWith("28")) {
      return "The database refuses the user or the password (%s).".formatted(said(error))
          + " Correct store.user and store.password.";
    }
    if (number == MYSQL_UNKNOWN_DATABASE || state.equals("3D000")) {
      return "The database server has no such database (%s). Create it, or correct store.url."
          .formatted(said(error));
    }
    if (number == MYSQL_TOO_MANY_CONNECTIONS || state.equals("53300")) {
      return "The database has no connection left (%s). Raise its limit or lower store.connections."
          .formatted(said(error));
    }
    if (state.equals("57P03")) {
      return "The database is starting or stopping (%s). Retry in a moment.".formatted(said(error));
    }
    return "The database at %s cannot be used (%s). Check store.url.".formatted(where, said(error));
  }

  private static String ofFile(SQLException error, SqliteStoreFile file) {
    Path path = file.path();
    return switch (error.getErrorCode()) {
      case SQLITE_NOT_A_DATABASE, SQLITE_CORRUPT ->
          "The file %s is damaged or no SQLite database (%s). Restore a backup, or move it away."
              .formatted(path, said(error));
      case SQLITE_CANNOT_OPEN, SQLITE_READ_ONLY ->
          "The SQLite file %s cannot be opened for writing (%s): %s. %s"
              .formatted(path, said(error), whyNot(path), ANOTHER_PLACE);
      case SQLITE_FULL, SQLITE_INPUT_OUTPUT ->
          "The SQLite file %s cannot be read or written (%s). Check the disk and the space on it."
              .formatted(path, said(error));
      case SQLITE_BUSY ->
          "The SQLite file %s is locked by another program (%s). Stop it, or wait until it is done."
              .formatted(path, said(error));
      default ->
          "The SQLite file %s cannot be opened (%s). Check store.url.".formatted(path, said(error));
    };
  }

  private static String whyNot(Path file) {
    if (Files.isDirectory(file)) {
      return "it is a directory";
    }
    if (!Files.isWritable(file.getParent())) {
      return "its directory is read-only for this user";
    }
    return Files.exists(file) && !Files.isWritable(file)
        ? "it is read-only for this user"
        : "it or its directory is read-only";
  }

  private boolean isMySql() {
    return !options.url().startsWith("jdbc:postgresql:");
  }

  private static boolean isTimeout(SQLException error) {
    return said(error).toLowerCase(Locale.ROOT).contains("timed out");
  }

  /** What the network has to do with it, or null. */
  private static @Nullable Throwable network(Throwable error) {
    for (Throwable cause = error; cause != null; cause = cause.getCause()) {
      if (cause instanceof IOException) {
        return cause;
      }
    }
    return null;
  }

  /** The first line of the message: others hold hints for programmers. */
  private static String said(Throwable error) {
    String message = error.getMessage();
    return message == null
        ? error.getClass().getSimpleName()
        : Redaction.of(message.strip().lines().findFirst().orElse("").replaceFirst("\\.$", ""));
  }
}

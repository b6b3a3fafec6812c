package dev.mailroom.jdbc;

import dev.mailroom.errors.StoreException;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Opens the store's own pool, or says what is missing. */
final class OwnPool {

  private OwnPool() {}

  /**
   * Connects.
   *
   * @throws StoreException saying what is wrong and what to do, and never the password
   */
  static HikariKnownPool.Opened open(
      String url, @Nullable String user, @Nullable String password, int size) {
    requireDriver(url);
    try {
      return HikariKnownPool.open(url, user, password, size);
    } catch (NoClassDefFoundError absent) {
      throw new StoreException(
          "A store that is given a URL opens a pool of HikariCP, which is missing: add"
              + " com.zaxxer:HikariCP, or pass a DataSource.",
          absent);
    } catch (RuntimeException e) {
      throw e.getCause() instanceof SQLException cause
          ? ConnectionProblem.explain(cause)
          : ConnectionProblem.explain(e);
    }
  }

  /** The URL itself is not shown, since it may contain the password; nor is the driver's error. */
  @SuppressWarnings("UnusedException")
  private static void requireDriver(String url) {
    try {
      DriverManager.getDriver(url);
    } catch (SQLException e) {
      throw new StoreException(
          "No JDBC driver is there for a URL that begins with '" + kind(url) + "': " + toAdd(url));
    }
  }

  /** The first two words: jdbc:postgresql: and the like. */
  private static String kind(String url) {
    String[] words = url.split(":", 3);
    return words.length < 3 ? "" : words[0] + ":" + words[1] + ":";
  }

  private static String toAdd(String url) {
    return switch (kind(url).toLowerCase(Locale.ROOT)) {
      case "jdbc:postgresql:" -> "add org.postgresql:postgresql to the class path.";
      case "jdbc:mariadb:" -> "add org.mariadb.jdbc:mariadb-java-client to the class path.";
      case "jdbc:mysql:" -> "add com.mysql:mysql-connector-j to the class path.";
      case "jdbc:h2:" -> "add com.h2database:h2 to the class path.";
      case "jdbc:sqlite:" -> "add org.xerial:sqlite-jdbc to the class path.";
      default ->
          "use a URL of PostgreSQL, MySQL, MariaDB, H2 or SQLite, such as"
              + " jdbc:postgresql://host/database.";
    };
  }
}

package dev.mailroom.databases;

import com.mysql.cj.jdbc.MysqlDataSource;
import java.sql.SQLException;
import java.util.EnumMap;
import java.util.Map;
import javax.sql.DataSource;
import org.mariadb.jdbc.MariaDbDataSource;

/**
 * MariaDB, with InnoDB tables, utf8mb4 and the server's own defaults for all that an application
 * would have to set itself, such as the isolation level and the collation.
 *
 * <p>If the environment variable {@value #OUTSIDE} holds a JDBC URL of a MariaDB or MySQL server
 * (with user and password, of a user who may create databases), that server is used, whatever
 * durability it has.
 */
public final class MariaDbServer extends DatabaseServer {
  /**
   * Names the environment variable, or system property, with the URL of a server to use instead.
   */
  public static final String OUTSIDE = "MAILROOM_TEST_MYSQL_URL";

  private static final Map<Durability, MariaDbServer> SHARED = new EnumMap<>(Durability.class);

  private MariaDbServer(Instance instance) {
    super(instance);
  }

  /** The one with {@link Durability#FULL}; started if this is the first time. */
  public static MariaDbServer shared() {
    return shared(Durability.FULL);
  }

  /** The server with this durability; started if this is the first time. */
  public static MariaDbServer shared(Durability durability) {
    synchronized (SHARED) {
      return SHARED.computeIfAbsent(durability, MariaDbServer::open);
    }
  }

  private static MariaDbServer open(Durability durability) {
    String outside = OutsideInstance.url(OUTSIDE);
    if (outside != null) {
      return new MariaDbServer(new OutsideInstance(JdbcUrl.parse(outside)));
    }
    LocalMariaDb local = LocalMariaDb.create(durability);
    local.start();
    return new MariaDbServer(local);
  }

  @Override
  DataSource dataSource(String url) {
    return connect(url);
  }

  /** By the driver that the URL names: each of the two knows the other's server. */
  static DataSource connect(String url) {
    if (url.startsWith("jdbc:mysql:")) {
      MysqlDataSource dataSource = new MysqlDataSource();
      dataSource.setUrl(url);
      return dataSource;
    }
    try {
      return new MariaDbDataSource(url);
    } catch (SQLException e) {
      // Without the URL, which holds a password.
      throw new IllegalArgumentException("The driver does not understand the URL", e);
    }
  }

  @Override
  String createStatement(String database) {
    return "create database " + database + " character set utf8mb4";
  }

  @Override
  String dropStatement(String database) {
    return "drop database if exists " + database;
  }
}

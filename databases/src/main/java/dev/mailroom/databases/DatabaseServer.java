package dev.mailroom.databases;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.UUID;
import javax.sql.DataSource;

/**
 * A running database server that all tests of this JVM share. Safe for use by several threads, but
 * whoever stops it stops it for all.
 */
public abstract sealed class DatabaseServer permits PostgresServer, MariaDbServer {
  private final Instance instance;

  DatabaseServer(Instance instance) {
    this.instance = instance;
  }

  /** What the server says of itself, such as {@code 18.6} or {@code 11.4.5-MariaDB}. */
  public final String version() {
    try (Connection connection = dataSource().getConnection()) {
      return connection.getMetaData().getDatabaseProductVersion();
    } catch (SQLException e) {
      throw new IllegalStateException("The server does not tell its version", e);
    }
  }

  /** Creates an empty database with a name that no other has, also on a server that lives on. */
  public final Database createDatabase() {
    return createDatabase("");
  }

  /** The same with options of the statement that creates it. */
  final Database createDatabase(String options) {
    String name = "mailroom_" + UUID.randomUUID().toString().replace("-", "").substring(0, 16);
    execute(createStatement(name) + options);
    return new ServerDatabase(this, name);
  }

  /** The URL of a database on this server, user and password included. */
  public final String jdbcUrl(String database) {
    return instance.url().withDatabase(database).toString();
  }

  /** Connections to the database that every such server has, for looking at the server itself. */
  public final DataSource dataSource() {
    return dataSource(instance.url().toString());
  }

  /**
   * Whether {@link #stopImmediately()} and {@link #start()} work. They do unless the server is one
   * that an environment variable named.
   */
  public final boolean canBeStopped() {
    return instance.isOurs();
  }

  /**
   * Stops the server as a crash would: open transactions are lost, connections break, and the next
   * start recovers from the log. Returns when the server is gone; does nothing if it was.
   */
  public final void stopImmediately() {
    instance.stopImmediately();
  }

  /**
   * Starts the server again with the same data on the same port. Returns when it accepts
   * connections; does nothing while it runs.
   */
  public final void start() {
    instance.start();
  }

  abstract DataSource dataSource(String url);

  abstract String createStatement(String database);

  abstract String dropStatement(String database);

  final void drop(String database) {
    execute(dropStatement(database));
  }

  private void execute(String sql) {
    try (Connection connection = dataSource().getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    } catch (SQLException e) {
      throw new IllegalStateException("Failed: " + sql, e);
    }
  }

  private record ServerDatabase(DatabaseServer server, String name) implements Database {
    @Override
    public String jdbcUrl() {
      return server.jdbcUrl(name);
    }

    @Override
    public DataSource dataSource() {
      return server.dataSource(jdbcUrl());
    }

    @Override
    public void close() {
      server.drop(name);
    }
  }
}

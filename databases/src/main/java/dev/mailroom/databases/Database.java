package dev.mailroom.databases;

import javax.sql.DataSource;

/** An empty database of one test class, which removes it by closing it. */
public interface Database extends AutoCloseable {

  /** Where it is, user and password included. */
  String jdbcUrl();

  /**
   * Its connections, each opened when it is asked for. There is no pool, so that a test sees every
   * connection that it forgot to close and none that survived from another test.
   */
  DataSource dataSource();

  /** Removes it with all it holds, even while somebody is connected. */
  @Override
  void close();
}

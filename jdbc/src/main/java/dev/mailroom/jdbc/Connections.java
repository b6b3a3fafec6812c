package dev.mailroom.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Where connections come from and go back to. */
interface Connections {

  /** A connection that is in no transaction. */
  Connection take() throws SQLException;

  /** Takes a connection back. Never fails: what was done with it is done. */
  void giveBack(Connection connection);

  /** Puts a connection into no transaction. Not every driver knows when there is nothing to do. */
  static void endTransaction(Connection connection) throws SQLException {
    if (!connection.getAutoCommit()) {
      connection.setAutoCommit(true);
    }
  }

  /** The connections of a data source. */
  static Connections of(DataSource dataSource) {
    Logger log = LoggerFactory.getLogger(JdbcStore.class);
    return new Connections() {
      @Override
      public Connection take() throws SQLException {
        return dataSource.getConnection();
      }

      @Override
      public void giveBack(Connection connection) {
        try {
          endTransaction(connection);
        } catch (SQLException e) {
          log.debug("A connection is given back as it is.", e);
        }
        try {
          connection.close();
        } catch (SQLException e) {
          log.debug("A connection could not be given back.", e);
        }
      }
    };
  }
}

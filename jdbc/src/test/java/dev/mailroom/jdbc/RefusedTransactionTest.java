package dev.mailroom.jdbc;

import static dev.mailroom.storetestkit.TestMessages.channel;
import static dev.mailroom.storetestkit.TestMessages.message;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mailroom.databases.Database;
import dev.mailroom.databases.H2File;
import dev.mailroom.databases.SqliteFile;
import dev.mailroom.errors.StoreException;
import dev.mailroom.spi.Channel;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A transaction in which nothing can be written says so. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class RefusedTransactionTest {
  private static final Channel CHANNEL = channel("work").build();

  private static void append(JdbcStore store, Connection connection) {
    JdbcTransaction transaction = connection == null ? null : JdbcTransaction.of(connection);
    store.append(CHANNEL, List.of(message("m").build()), transaction);
  }

  private static JdbcStore migrated(Database database) {
    return JdbcStore.builder(database.dataSource()).migrateAtStart(true).build();
  }

  @ParameterizedTest
  @EnumSource(names = {"POSTGRESQL", "MARIADB"})
  void a_read_only_transaction_of_the_caller(Databases kind) throws SQLException {
    try (Database database = kind.create();
        JdbcStore store = migrated(database);
        Connection connection = database.dataSource().getConnection()) {
      connection.setReadOnly(true);
      connection.setAutoCommit(false);

      assertThatExceptionOfType(StoreException.class)
          .isThrownBy(() -> append(store, connection))
          .isExactlyInstanceOf(StoreException.class)
          .withMessageContaining("The caller's transaction is read-only")
          .withMessageNotContaining("tables there");
    }
  }

  @Test
  void an_aborted_transaction_of_the_caller() throws SQLException {
    try (Database database = Databases.POSTGRESQL.create();
        JdbcStore store = migrated(database);
        Connection connection = database.dataSource().getConnection()) {
      connection.setAutoCommit(false);
      assertThatThrownBy(() -> Dialect.execute(connection, "SELECT * FROM no_such_table"))
          .isInstanceOf(SQLException.class);

      assertThatExceptionOfType(StoreException.class)
          .isThrownBy(() -> append(store, connection))
          .isExactlyInstanceOf(StoreException.class)
          .withMessageContaining("aborted by an earlier error")
          .withMessageContaining("roll it back")
          .withMessageNotContaining("tables there");
    }
  }

  @ParameterizedTest
  @EnumSource
  void tables_that_are_missing_are_still_asked_for(Databases kind) {
    try (Database database = kind.create();
        JdbcStore store = JdbcStore.builder(database.dataSource()).build()) {
      assertThatExceptionOfType(StoreException.class)
          .isThrownBy(() -> append(store, null))
          .withMessageContaining("Are the tables there?");
    }
  }

  @Test
  void a_connection_of_sqlite_that_only_reads() throws SQLException {
    try (Database database = SqliteFile.create();
        JdbcStore store = migrated(database);
        Connection connection = database.dataSource().getConnection()) {
      Dialect.execute(connection, "PRAGMA query_only = 1");
      connection.setAutoCommit(false);

      assertThatExceptionOfType(StoreException.class)
          .isThrownBy(() -> append(store, connection))
          .withMessageContaining("The database is read-only");
    }
  }

  @Test
  void a_database_of_h2_that_is_opened_for_reading() {
    try (H2File database = H2File.create()) {
      migrated(database).close();
      database.reopen();
      try (JdbcStore store =
          JdbcStore.builder(database.jdbcUrl() + ";ACCESS_MODE_DATA=r", null, null).build()) {
        assertThatExceptionOfType(StoreException.class)
            .isThrownBy(() -> append(store, null))
            .withMessageContaining("The database is read-only");
      }
    }
  }
}

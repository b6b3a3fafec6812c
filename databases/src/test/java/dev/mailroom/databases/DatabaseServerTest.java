package dev.mailroom.databases;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.Test;

/** What every server promises. */
abstract class DatabaseServerTest extends DatabaseTest {

  abstract DatabaseServer server();

  @Override
  Database create() {
    return server().createDatabase();
  }

  @Test
  void comesBackFromACrashWithWhatWasCommitted() throws SQLException {
    assumeTrue(server().canBeStopped());
    try (Database database = create();
        Connection open = database.dataSource().getConnection();
        Statement statement = open.createStatement()) {
      statement.execute("create table survivors (id int)");
      statement.execute("insert into survivors values (1)");
      open.setAutoCommit(false);
      statement.execute("insert into survivors values (2)");

      server().stopImmediately();
      assertThatThrownBy(() -> database.dataSource().getConnection())
          .isInstanceOf(SQLException.class);
      server().start();

      assertThat(Sql.query(database.dataSource(), "select id from survivors")).containsExactly("1");
      assertThatThrownBy(() -> statement.execute("select 1")).isInstanceOf(SQLException.class);
      // The driver may refuse to roll back on the dead connection, which is as good as closed.
      open.abort(Runnable::run);
    }
  }

  @Test
  void canBeStoppedAndStartedTwice() throws SQLException {
    assumeTrue(server().canBeStopped());

    server().stopImmediately();
    server().stopImmediately();
    server().start();
    server().start();

    assertThat(Sql.query(server().dataSource(), "select 1")).containsExactly("1");
  }
}

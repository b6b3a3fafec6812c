package dev.mailroom.databases;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What every database promises. */
@Timeout(60)
abstract class DatabaseTest {
  private final Database database = create();

  abstract Database create();

  @AfterEach
  void remove() {
    database.close();
  }

  @Test
  void answers() throws SQLException {
    assertThat(Sql.query(database.dataSource(), "select 1")).containsExactly("1");
  }

  @Test
  void keepsWhatWasCommittedBetweenConnections() throws SQLException {
    Sql.execute(database.dataSource(), "create table kept (id int)", "insert into kept values (7)");

    assertThat(Sql.query(database.dataSource(), "select id from kept")).containsExactly("7");
  }

  @Test
  void isApartFromTheOthers() throws SQLException {
    Sql.execute(database.dataSource(), "create table ours (id int)");

    try (Database other = create()) {
      assertThat(other.jdbcUrl()).isNotEqualTo(database.jdbcUrl());
      assertThatThrownBy(() -> Sql.query(other.dataSource(), "select id from ours"))
          .isInstanceOf(SQLException.class)
          .hasMessageContaining("ours");
    }
  }

  @Test
  void hasSeveralConnectionsAtOnce() throws SQLException {
    try (Connection one = database.dataSource().getConnection();
        Connection two = database.dataSource().getConnection();
        Statement first = one.createStatement();
        Statement second = two.createStatement()) {
      first.execute("create table shared (id int)");
      assertThat(second.executeQuery("select count(*) from shared").next()).isTrue();
    }
  }

  @Test
  void canBeRemovedWhileSomebodyIsConnected() throws SQLException {
    Database abandoned = create();
    try (Connection connection = abandoned.dataSource().getConnection()) {
      assertThat(connection.isValid(5)).isTrue();

      abandoned.close();
    }
  }
}

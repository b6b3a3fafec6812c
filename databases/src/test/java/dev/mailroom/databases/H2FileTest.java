package dev.mailroom.databases;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.SQLException;
import org.junit.jupiter.api.Test;

class H2FileTest extends DatabaseTest {

  @Override
  Database create() {
    return H2File.create();
  }

  @Test
  void readsItsFileAgain() throws SQLException {
    H2File database = H2File.create();
    Sql.execute(database.dataSource(), "create table kept (id int)", "insert into kept values (7)");

    database.reopen();

    assertThat(Sql.query(database.dataSource(), "select id from kept")).containsExactly("7");
    database.close();
  }
}

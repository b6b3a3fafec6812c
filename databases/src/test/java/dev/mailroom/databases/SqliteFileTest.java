package dev.mailroom.databases;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.SQLException;
import org.junit.jupiter.api.Test;

class SqliteFileTest extends DatabaseTest {

  @Override
  Database create() {
    return SqliteFile.create();
  }

  @Test
  void knowsReturning() throws SQLException {
    try (Database database = create()) {
      Sql.execute(database.dataSource(), "create table rows (id int)");

      // Since 3.35.
      assertThat(Sql.query(database.dataSource(), "insert into rows values (1), (2) returning id"))
          .containsExactly("1", "2");
    }
  }
}

package dev.mailroom.databases;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.SQLException;
import org.junit.jupiter.api.Test;

class H2MemoryTest extends DatabaseTest {

  @Override
  Database create() {
    return H2Memory.create();
  }

  @Test
  void isH2() throws SQLException {
    try (Database database = create()) {
      assertThat(Sql.query(database.dataSource(), "select h2version()").get(0)).startsWith("2.");
    }
  }
}

package dev.mailroom.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.mailroom.databases.Database;
import java.sql.Connection;
import java.sql.SQLException;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Work that does not get to its end, for whatever reason. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class UndoneWorkTest {

  @ParameterizedTest
  @EnumSource
  void commits_nothing_if_it_ends_with_an_error_that_is_no_exception(Databases kind)
      throws SQLException {
    try (Database database = kind.create();
        JdbcStore store =
            JdbcStore.builder(database.dataSource()).wakeUps(false).migrateAtStart(true).build()) {
      store.validate();
      Transactions transactions = transactions(database);

      assertThatExceptionOfType(StackOverflowError.class)
          .isThrownBy(
              () ->
                  transactions.run(
                      "do half of it",
                      session -> {
                        String add = "INSERT INTO {channel} (name) VALUES (?)";
                        session.call(add).with("half").update();
                        throw new StackOverflowError("deep");
                      }));

      String count = "SELECT COUNT(*) FROM {channel} WHERE name = ?";
      int half =
          transactions.run(
              "count",
              session -> session.call(count).with("half").list(row -> row.getInt(1)).get(0));
      assertThat(half).isZero();
    }
  }

  private static Transactions transactions(Database database) throws SQLException {
    try (Connection connection = database.dataSource().getConnection()) {
      Dialect dialect = Dialect.of(connection);
      Schema schema = new Schema(null, "mailroom_", dialect, PayloadColumn.BYTES);
      Connections connections = Connections.of(database.dataSource());
      return new Transactions(connections, dialect, schema, null, Deadlines.NONE);
    }
  }
}

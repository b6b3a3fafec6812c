package dev.mailroom.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.mailroom.databases.Database;
import dev.mailroom.errors.TransientStoreException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
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
      Transactions transactions = transactions(database.dataSource());

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

  @Test
  void on_a_server_that_is_read_only_now_ends_its_connection() throws SQLException {
    List<String> calls = new ArrayList<>();
    try (Database database = Databases.H2.create()) {
      DataSource watched = watched(DataSource.class, database.dataSource(), calls);
      Transactions transactions = transactions(watched);

      assertThatExceptionOfType(TransientStoreException.class)
          .isThrownBy(
              () ->
                  transactions.run(
                      "write",
                      session -> {
                        throw new SQLException("a former primary", "25006");
                      }));
    }

    assertThat(calls).contains("abort");
  }

  private static <T> T watched(Class<T> type, T target, List<String> calls) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (proxy, method, arguments) -> {
              calls.add(method.getName());
              Object answer = method.invoke(target, arguments);
              return answer instanceof Connection connection
                  ? watched(Connection.class, connection, calls)
                  : answer;
            }));
  }

  private static Transactions transactions(DataSource source) throws SQLException {
    try (Connection connection = source.getConnection()) {
      Dialect dialect = Dialect.of(connection);
      Schema schema = new Schema(null, "mailroom_", dialect, PayloadColumn.BYTES);
      Connections connections = Connections.of(source);
      return new Transactions(connections, dialect, schema, null, Deadlines.NONE);
    }
  }
}

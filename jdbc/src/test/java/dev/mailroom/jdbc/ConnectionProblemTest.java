package dev.mailroom.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.mailroom.databases.Database;
import dev.mailroom.errors.StoreException;
import dev.mailroom.errors.TransientStoreException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.sql.SQLException;
import java.util.function.Function;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** A store that cannot be built says in one error why, and never with which password. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class ConnectionProblemTest {
  private static final String SECRET = "swordfish";

  private static StoreException failure(String url) {
    return failure(url, null, null);
  }

  private static StoreException failure(String url, String user, String password) {
    StoreException failure =
        catchThrowableOfType(
            StoreException.class, () -> JdbcStore.builder(url, user, password).build());
    assertThat(failure).as(url).isNotNull();
    StringWriter trace = new StringWriter();
    failure.printStackTrace(new PrintWriter(trace));
    assertThat(trace.toString()).doesNotContain(SECRET);
    return failure;
  }

  private static StoreException failure(Databases kind, Function<String, String> change) {
    try (Database database = kind.create()) {
      return failure(change.apply(database.jdbcUrl()));
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"POSTGRESQL", "MARIADB"})
  void a_user_or_password_that_the_server_refuses(Databases kind) {
    StoreException failure =
        failure(
            kind,
            url ->
                url.replaceFirst("user=\\w+", "user=nobody")
                    .replaceFirst("password=\\w+", "password=" + SECRET));

    assertThat(failure)
        .isExactlyInstanceOf(StoreException.class)
        .hasMessageContaining("refuses the user or the password");
  }

  @Test
  void a_password_that_h2_refuses() {
    String url = "jdbc:h2:mem:refused";
    try (JdbcStore open = JdbcStore.builder(url, "sa", "right").build()) {
      assertThat(open).isNotNull();

      assertThat(failure(url, "sa", SECRET))
          .isExactlyInstanceOf(StoreException.class)
          .hasMessageContaining("refuses the user or the password");
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"POSTGRESQL", "MARIADB"})
  void a_database_that_is_not_there(Databases kind) {
    StoreException failure =
        failure(kind, url -> url.replaceFirst("(//[^/]*)/\\w+", "$1/no_such_database"));

    assertThat(failure).hasMessageContaining("no such database");
  }

  @Test
  void a_server_that_is_not_there_may_come_back() {
    assertThat(failure("jdbc:postgresql://127.0.0.1:1/x?user=u&password=" + SECRET))
        .isInstanceOf(TransientStoreException.class)
        .hasMessageContaining("cannot be connected to");
  }

  @ParameterizedTest
  @CsvSource({
    "jdbc:derby:memory:x, jdbc:derby:, jdbc:postgresql://host/database",
    "jdbc:oracle:thin:@host, jdbc:oracle:, jdbc:postgresql://host/database",
    "nonsense, '', jdbc:postgresql://host/database",
  })
  void a_driver_that_is_missing_is_named(String url, String kind, String remedy) {
    assertThat(failure(url + "?password=" + SECRET, "user", SECRET))
        .isExactlyInstanceOf(StoreException.class)
        .hasMessageContaining("No JDBC driver")
        .hasMessageContaining("'" + kind + "'")
        .hasMessageContaining(remedy);
  }

  @Test
  void a_password_in_a_drivers_message_is_left_out_with_the_cause() {
    SQLException error =
        new SQLException(
            "Bad URL jdbc:x://bob:" + SECRET + "@host/d?user=bob&password=" + SECRET + "&ssl=on");
    StoreException explained = ConnectionProblem.explain(error);

    assertThat(explained)
        .hasMessageContaining("password=***&ssl=on")
        .hasMessageContaining("//***@host")
        .hasNoCause();
  }

  @Test
  void what_a_pool_wraps_is_what_is_said() {
    SQLException refused = new SQLException("password authentication failed", "28P01");
    SQLException pool = new java.sql.SQLTransientConnectionException("not available", refused);

    assertThat(ConnectionProblem.explain(pool))
        .isExactlyInstanceOf(StoreException.class)
        .hasMessageContaining("password authentication failed")
        .hasCause(pool);
  }
}

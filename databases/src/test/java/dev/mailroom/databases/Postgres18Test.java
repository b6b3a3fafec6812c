package dev.mailroom.databases;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.Test;

class Postgres18Test extends DatabaseServerTest {

  @Override
  PostgresServer server() {
    return PostgresServer.shared(PostgresVersion.V18, Durability.RELAXED);
  }

  @Test
  void isPostgres18() {
    assumeTrue(server().canBeStopped());

    assertThat(server().version()).startsWith("18.");
  }

  @Test
  void doesNotWaitForTheDiskIfNotAskedTo() throws SQLException {
    assumeTrue(server().canBeStopped());

    assertThat(durability(server())).containsExactly("off", "off", "on");
  }

  @Test
  void waitsForTheDiskByDefault() throws SQLException {
    PostgresServer durable = PostgresServer.shared(PostgresVersion.V18);
    assumeTrue(durable.canBeStopped());

    assertThat(durability(durable)).containsExactly("on", "on", "on");
  }

  @Test
  void countsStatements() throws SQLException {
    assumeTrue(server().canBeStopped());
    try (Database database = create()) {
      Sql.execute(database.dataSource(), "create extension pg_stat_statements");

      assertThat(Sql.query(database.dataSource(), "select calls from pg_stat_statements"))
          .isNotEmpty();
    }
  }

  @Test
  void isTheSameServerEveryTime() {
    assertThat(PostgresServer.shared(PostgresVersion.V18, Durability.RELAXED)).isSameAs(server());
  }

  private static List<String> durability(PostgresServer server) throws SQLException {
    return Sql.query(
        server.dataSource(),
        """
        select setting from pg_settings
        where name in ('fsync', 'full_page_writes', 'synchronous_commit') order by name
        """);
  }
}

package dev.mailroom.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mailroom.databases.Database;
import dev.mailroom.databases.Durability;
import dev.mailroom.databases.H2Memory;
import dev.mailroom.databases.MariaDbServer;
import dev.mailroom.databases.PostgresServer;
import dev.mailroom.databases.PostgresVersion;
import dev.mailroom.databases.SqliteFile;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

/** All dialects have the same columns, but for what a lease, a hold or an index needs. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class DialectSchemasTest {

  @Test
  void every_dialect_has_the_same_columns() throws SQLException {
    Map<String, Set<String>> expected =
        columns(PostgresServer.shared(PostgresVersion.V18, Durability.RELAXED).createDatabase());

    assertThat(expected.get("message")).containsAll(Columns.ALL);
    assertThat(expected.get("lease").removeAll(Set.of("positions", "last_position", "number")))
        .isTrue();
    assertThat(expected.put("hold", Set.of("channel", "tenant", "group_key", "token", "held")))
        .as("which are many groups to a row on PostgreSQL")
        .containsExactlyInAnyOrder("token", "part", "tenants", "group_keys", "held");
    assertThat(columns(H2Memory.create())).isEqualTo(expected);
    assertThat(columns(SqliteFile.create())).isEqualTo(expected);
    Map<String, Set<String>> mariaDb =
        columns(MariaDbServer.shared(Durability.RELAXED).createDatabase());
    assertThat(mariaDb.get("message").removeAll(Set.of("lane", "place"))).isTrue();
    assertThat(mariaDb).isEqualTo(expected);
  }

  private static Map<String, Set<String>> columns(Database database) throws SQLException {
    try (database;
        Connection connection = connect(database)) {
      Map<String, Set<String>> columns = new TreeMap<>();
      for (String table : Schema.TABLES) {
        try (ResultSet found =
            connection.getMetaData().getColumns(null, null, "mailroom_" + table, null)) {
          while (found.next()) {
            columns
                .computeIfAbsent(table, name -> new TreeSet<>())
                .add(found.getString("COLUMN_NAME").toLowerCase(java.util.Locale.ROOT));
          }
        }
      }
      return columns;
    }
  }

  private static Connection connect(Database database) throws SQLException {
    JdbcStore.builder(database.dataSource()).migrateAtStart(true).build();
    return database.dataSource().getConnection();
  }
}

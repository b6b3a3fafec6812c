package dev.mailroom.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mailroom.databases.Database;
import dev.mailroom.databases.Durability;
import dev.mailroom.databases.H2Memory;
import dev.mailroom.databases.MariaDbServer;
import dev.mailroom.databases.PostgresServer;
import dev.mailroom.databases.PostgresVersion;
import dev.mailroom.databases.SqliteFile;
import dev.mailroom.errors.StoreException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A schema is created once, by whoever comes first, and everybody knows whether it is there. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class MigrationTest {
  private static final int NODES = 8;

  static Stream<Named<Supplier<Database>>> databases() {
    return Stream.of(
        Named.of(
            "PostgreSQL 18",
            () -> PostgresServer.shared(PostgresVersion.V18, Durability.RELAXED).createDatabase()),
        Named.of(
            "PostgreSQL 13",
            () -> PostgresServer.shared(PostgresVersion.V13, Durability.RELAXED).createDatabase()),
        Named.of("MariaDB", () -> MariaDbServer.shared(Durability.RELAXED).createDatabase()),
        Named.of("H2", H2Memory::create),
        Named.of("SQLite", SqliteFile::create));
  }

  private static JdbcStore store(Database database) {
    return JdbcStore.builder(database.dataSource()).build();
  }

  static void execute(Database database, String sql) throws SQLException {
    try (Connection connection = database.dataSource().getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute(sql.replace("\"", connection.getMetaData().getIdentifierQuoteString()));
    }
  }

  @ParameterizedTest
  @MethodSource("databases")
  void many_nodes_may_create_it_at_once(Supplier<Database> source) throws Exception {
    try (Database database = source.get()) {
      ExecutorService threads = Executors.newFixedThreadPool(NODES);
      try {
        List<Future<?>> nodes = new ArrayList<>();
        for (int i = 0; i < NODES; i++) {
          nodes.add(threads.submit(() -> store(database).migrate()));
        }
        for (Future<?> node : nodes) {
          node.get(60, TimeUnit.SECONDS);
        }
      } finally {
        threads.shutdownNow();
      }

      store(database).validate();
    }
  }

  @ParameterizedTest
  @MethodSource("databases")
  void an_empty_database_lacks_everything_by_name(Supplier<Database> source) {
    try (Database database = source.get()) {
      assertThatThrownBy(() -> store(database).validate())
          .isInstanceOf(StoreException.class)
          .hasMessageContaining("version 0")
          .hasMessageContaining("mailroom_message")
          .hasMessageContaining("mailroom_lease");
    }
  }

  @ParameterizedTest
  @MethodSource("databases")
  void a_table_that_was_dropped_is_named(Supplier<Database> source) throws Exception {
    try (Database database = source.get()) {
      store(database).migrate();
      execute(database, "DROP TABLE \"mailroom_hold\"");

      assertThatThrownBy(() -> store(database).validate())
          .isInstanceOf(StoreException.class)
          .hasMessageContaining("mailroom_hold")
          .hasMessageNotContaining("mailroom_message");
    }
  }

  @ParameterizedTest
  @MethodSource("databases")
  void a_newer_schema_is_refused(Supplier<Database> source) throws Exception {
    try (Database database = source.get()) {
      store(database).migrate();
      execute(database, "INSERT INTO \"mailroom_schema_version\" (version) VALUES (999)");

      assertThatThrownBy(() -> store(database).migrate())
          .isInstanceOf(StoreException.class)
          .hasMessageContaining("999");
      assertThatThrownBy(() -> store(database).validate())
          .isInstanceOf(StoreException.class)
          .hasMessageContaining("999");
    }
  }

  @ParameterizedTest
  @MethodSource("databases")
  void what_is_printed_makes_a_valid_schema(Supplier<Database> source) throws Exception {
    try (Database database = source.get()) {
      for (String statement : store(database).migrationScript().split(";\\s*\n", -1)) {
        if (!statement.isBlank()) {
          execute(database, statement);
        }
      }

      store(database).validate();
    }
  }

  @ParameterizedTest
  @MethodSource("databases")
  void two_prefixes_are_two_schemas(Supplier<Database> source) {
    try (Database database = source.get()) {
      JdbcStore.builder(database.dataSource()).tablePrefix("one_").migrateAtStart(true).build();

      assertThatThrownBy(
              () -> JdbcStore.builder(database.dataSource()).tablePrefix("two_").build().validate())
          .hasMessageContaining("two_message");
      JdbcStore.builder(database.dataSource()).tablePrefix("one_").build().validate();
    }
  }

  @ParameterizedTest
  @MethodSource("databases")
  void a_schema_of_its_own_is_created(Supplier<Database> source) {
    try (Database database = source.get()) {
      if (database instanceof SqliteFile) {
        return; // its schemas are other files
      }
      JdbcStore.builder(database.dataSource()).schema("mail").migrateAtStart(true).build();

      JdbcStore.builder(database.dataSource()).schema("mail").build().validate();
      assertThatThrownBy(() -> store(database).validate()).hasMessageContaining("version 0");
      assertThat(JdbcStore.builder(database.dataSource()).schema("mail").build().migrationScript())
          .containsPattern("[\"`]mail[\"`]\\.[\"`]mailroom_message[\"`]");
    }
  }

  @Test
  void the_log_says_what_was_created_and_which_version_it_has() {
    Schema schema = new Schema(null, "mail_", new PostgresDialect(true), PayloadColumn.BYTES);

    assertThat(Migrations.report(schema, 0)).isEqualTo("Created the tables mail_* at version 1.");
    assertThat(Migrations.report(schema, Migrations.LATEST))
        .isEqualTo("Found the tables mail_* at version 1: there is nothing to migrate.");
  }
}

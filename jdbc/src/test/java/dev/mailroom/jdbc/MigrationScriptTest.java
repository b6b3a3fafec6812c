package dev.mailroom.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mailroom.databases.H2Memory;
import dev.mailroom.errors.InvalidOptionsException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The migrations can be had without a database. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class MigrationScriptTest {
  @TempDir private Path folder;

  private String written(String... arguments) throws IOException {
    Path file = folder.resolve("mailroom.sql");
    List<String> all = new ArrayList<>(List.of(arguments));
    all.addAll(List.of("--output", file.toString()));
    MigrationScript.main(all.toArray(String[]::new));
    return Files.readString(file);
  }

  @Test
  void it_writes_what_the_store_gives() throws IOException {
    try (H2Memory database = H2Memory.create();
        JdbcStore store =
            JdbcStore.builder(database.dataSource())
                .schema("mail")
                .tablePrefix("my_")
                .channelTables("orders", "orders_")
                .build()) {
      String main = written("--dialect", "h2", "--schema", "mail", "--prefix", "my_");
      String orders =
          written(
              "--dialect",
              "h2",
              "--schema",
              "mail",
              "--prefix",
              "my_",
              "--channel-prefix",
              "orders_");

      assertThat(orders).isEqualTo(store.migrationScript("orders"));
      assertThat(main + "\n" + orders).isEqualTo(store.migrationScript());
    }
  }

  @Test
  void numbers_come_from_a_sequence_on_mariadb_and_from_a_table_on_mysql() throws IOException {
    assertThat(written("--dialect", "mariadb"))
        .contains("CREATE SEQUENCE IF NOT EXISTS `mailroom_number`");
    assertThat(written("--dialect", "mysql"))
        .contains("CREATE TABLE IF NOT EXISTS `mailroom_number`")
        .doesNotContain("SEQUENCE IF NOT EXISTS");
  }

  @ParameterizedTest
  @ValueSource(strings = {"postgresql", "PostgreSQL", "mysql", "mariadb", "h2", "sqlite"})
  void every_dialect_has_a_script(String dialect) throws IOException {
    assertThat(written("--dialect", dialect)).contains("mailroom_message").doesNotContain("{");
  }

  @Test
  void payloads_are_bytes_unless_json_is_asked_for() throws IOException {
    assertThat(written("--dialect", "postgresql")).doesNotContain("JSONB");
    assertThat(written("--dialect", "postgresql", "--payloads", "json"))
        .contains("payload JSONB", "payload BYTEA"); // messages, and states
  }

  @Test
  void a_channel_uses_the_states_and_the_channels_of_the_main_set() throws IOException {
    assertThat(written("--dialect", "postgresql", "--channel-prefix", "orders_"))
        .contains("\"orders_message\"", "\"orders_schema_version\"")
        .doesNotContain("\"orders_state\"", "\"orders_channel\"", "\"mailroom_");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "--dialect",
        "--dialect oracle",
        "--dialect h2 --prefix",
        "--dialect h2 --colour red",
        "--dialect h2 --prefix 1",
        "--dialect h2 --payloads xml",
        "--dialect h2 --channel-prefix mailroom_"
      })
  void what_is_of_no_use_is_said(String line) {
    assertThatThrownBy(() -> written(line.split(" ")))
        .isInstanceOfAny(IllegalArgumentException.class, InvalidOptionsException.class);

    assertThat(folder).isEmptyDirectory();
  }

  @Test
  void a_file_must_be_given() {
    assertThatThrownBy(() -> MigrationScript.main(new String[] {"--dialect", "h2"}))
        .hasMessageContaining("--output");
  }
}

package dev.mailroom.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mailroom.databases.H2Memory;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The migrations can be printed without a database. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class MigrationScriptTest {
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream errors = new ByteArrayOutputStream();

  private boolean run(String... arguments) {
    return MigrationScript.run(
        List.of(arguments),
        new PrintStream(out, true, StandardCharsets.UTF_8),
        new PrintStream(errors, true, StandardCharsets.UTF_8));
  }

  private String printed() {
    return out.toString(StandardCharsets.UTF_8);
  }

  @Test
  void it_prints_what_the_store_prints() {
    try (H2Memory database = H2Memory.create();
        JdbcStore store =
            JdbcStore.builder(database.dataSource())
                .schema("mail")
                .tablePrefix("my_")
                .channelTables("orders", "orders_")
                .build()) {
      assertThat(run("--dialect", "h2", "--schema", "mail", "--prefix", "my_")).isTrue();
      String main = printed();
      out.reset();
      assertThat(
              run(
                  "--dialect",
                  "h2",
                  "--schema",
                  "mail",
                  "--prefix",
                  "my_",
                  "--channel-prefix",
                  "orders_"))
          .isTrue();

      assertThat(printed()).isEqualTo(store.migrationScript("orders"));
      assertThat(main + "\n" + printed()).isEqualTo(store.migrationScript());
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"postgresql", "PostgreSQL", "mysql", "mariadb", "h2", "sqlite"})
  void every_dialect_has_a_script(String dialect) {
    assertThat(run("--dialect", dialect)).isTrue();

    assertThat(printed()).contains("mailroom_message").doesNotContain("{");
    assertThat(errors.size()).isZero();
  }

  @Test
  void a_channel_uses_the_states_and_the_channels_of_the_main_set() {
    assertThat(run("--dialect", "postgresql", "--channel-prefix", "orders_")).isTrue();

    assertThat(printed())
        .contains("\"orders_message\"", "\"orders_schema_version\"")
        .doesNotContain("\"orders_state\"", "\"orders_channel\"", "\"mailroom_");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "--dialect",
        "--dialect oracle",
        "--dialect h2 --prefix",
        "--dialect h2 --colour red",
        "--dialect h2 --prefix 1",
        "--dialect h2 --channel-prefix mailroom_"
      })
  void what_is_of_no_use_is_said(String line) {
    assertThat(run(line.isEmpty() ? new String[0] : line.split(" "))).isFalse();

    assertThat(out.size()).isZero();
    assertThat(errors.size()).isPositive();
  }
}

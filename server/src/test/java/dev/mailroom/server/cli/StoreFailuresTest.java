package dev.mailroom.server.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.mailroom.databases.Database;
import dev.mailroom.databases.DatabaseServer;
import dev.mailroom.databases.Durability;
import dev.mailroom.databases.MariaDbServer;
import dev.mailroom.databases.PostgresServer;
import dev.mailroom.databases.PostgresVersion;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Every command that opens a store reports in one sentence why it cannot, and what to do. */
@Timeout(120) // a server that starts would run for ever
class StoreFailuresTest {
  /** The pool's text, which says nothing. */
  private static final String OF_THE_POOL = "Connection is not available";

  @TempDir private Path directory;

  private void assertSaid(String url, String... parts) throws IOException {
    assertSaidTo("", url, parts);
  }

  private void assertSaidTo(String user, String url, String... parts) throws IOException {
    Path file = directory.resolve("mailroom.yaml");
    Files.writeString(file, "store: {url: '%s'%s}\nlisten: {port: 0}\n".formatted(url, user));
    CommandResult serve = CommandResult.of("serve", "-c", file.toString());
    CommandResult doctor = CommandResult.of("doctor", "-c", file.toString());
    CommandResult migrate = CommandResult.of("migrate", "-c", file.toString());

    assertThat(serve.code()).as(serve.err()).isEqualTo(3);
    assertThat(serve.err()).contains(parts).doesNotContain(OF_THE_POOL, "hush");
    assertThat(doctor.code()).isEqualTo(1);
    assertThat(doctor.out()).contains("WRONG database").contains(parts).doesNotContain("hush");
    assertThat(migrate.code()).isEqualTo(3);
    assertThat(migrate.err()).contains(parts);
  }

  private static DatabaseServer postgres() {
    return PostgresServer.shared(PostgresVersion.V18, Durability.RELAXED);
  }

  private static DatabaseServer mariaDb() {
    return MariaDbServer.shared(Durability.RELAXED);
  }

  private static void execute(DatabaseServer server, String sql) throws SQLException {
    try (Connection connection = server.dataSource().getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  @Test
  void a_port_at_which_nothing_listens() throws IOException {
    for (String kind : new String[] {"postgresql", "mysql", "mariadb"}) {
      assertSaid(
          "jdbc:" + kind + "://127.0.0.1:1/x?password=hush",
          "No database listens at jdbc:" + kind + "://127.0.0.1:1/x (connection refused)",
          "Start it, or correct host and port in store.url.");
    }
  }

  @Test
  void a_host_that_is_unknown() throws IOException {
    for (String kind : new String[] {"postgresql", "mysql"}) {
      assertSaid(
          "jdbc:" + kind + "://nowhere.invalid/x",
          "The database's host 'nowhere.invalid' is unknown.",
          "Correct store.url");
    }
  }

  @Test
  void a_database_that_the_server_does_not_have() throws IOException {
    for (DatabaseServer server : new DatabaseServer[] {postgres(), mariaDb()}) {
      assertSaid(
          server.jdbcUrl("not_there"),
          "The database server has no such database",
          "not_there",
          "Create it, or correct store.url.");
    }
  }

  @Test
  void a_wrong_password_of_mariadb() throws IOException {
    try (Database database = mariaDb().createDatabase()) {
      assertSaidTo(
          ", user: mailroom, password: hush",
          database.jdbcUrl().replaceAll("(user|password)=[^&]*&", ""),
          "The database refuses the user or the password (",
          "'mailroom'",
          "Correct store.user and store.password.");
    }
  }

  @Test
  void a_database_that_a_user_of_mariadb_may_not_use() throws IOException, SQLException {
    execute(mariaDb(), "CREATE USER IF NOT EXISTS stranger@'%' IDENTIFIED BY 'known'");
    try (Database database = mariaDb().createDatabase()) {
      assertSaidTo(
          ", user: stranger, password: known",
          database.jdbcUrl().replaceAll("(user|password)=[^&]*&", ""),
          "The database refuses this user",
          "Grant the user access to it");
    }
  }

  /** The server trusts all users; a line before the others requires a password of one user. */
  @Test
  void a_wrong_password_of_postgresql() throws IOException, SQLException {
    assumeTrue(
        postgres().canBeStopped(), "only a server of the test can change its authentication");
    execute(
        postgres(),
        """
        DO $$
        DECLARE lines text := pg_read_file(current_setting('hba_file'));
        BEGIN
          IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'asked') THEN
            CREATE ROLE asked LOGIN PASSWORD 'known';
          END IF;
          EXECUTE format(
            'COPY (SELECT unnest(%L::text[])) TO %L',
            ARRAY['host all asked 127.0.0.1/32 scram-sha-256']
              || string_to_array(replace(lines, E'\\t', ' '), E'\\n'),
            current_setting('hba_file'));
          PERFORM pg_reload_conf();
        END $$""");
    try (Database database = postgres().createDatabase()) {
      String url = database.jdbcUrl().replaceAll("\\?.*", "");
      assertSaidTo(
          ", user: asked, password: hush",
          url,
          "The database refuses the user or the password (",
          "\"asked\"",
          "Correct store.user and store.password.");
      assertSaidTo(", user: unknown_user", url, "The database refuses the user or the password (");
    }
  }

  @Test
  void a_file_that_is_no_database() throws IOException {
    Path file = directory.resolve("text.db");
    Files.writeString(file, "This is no database. ".repeat(100));

    assertSaid(
        "jdbc:sqlite:" + file, file + " is damaged or no SQLite database", "Restore a backup");
    assertThat(file).hasContent("This is no database. ".repeat(100));
  }

  @Test
  void a_file_that_is_damaged() throws IOException {
    Path file = directory.resolve("damaged.db");
    assertThat(CommandResult.of("migrate", "--set", "store.url=jdbc:sqlite:" + file).code())
        .isZero();
    byte[] bytes = Files.readAllBytes(file);
    byte[] noise = "noise ".repeat(1_000).getBytes(StandardCharsets.UTF_8);
    System.arraycopy(noise, 0, bytes, 100, 3_900); // the schema's page, behind the file's header
    Files.write(file, bytes);

    assertSaid(
        "jdbc:sqlite:" + file, file + " is damaged or no SQLite database", "Restore a backup");
  }

  @Test
  void a_directory_that_cannot_be_written() throws IOException {
    Path readOnly = Files.createDirectory(directory.resolve("read-only"));
    Files.setPosixFilePermissions(readOnly, PosixFilePermissions.fromString("r-xr-xr-x"));
    // The superuser writes everywhere but where the system itself forbids it.
    Path readOnlyDirectory = Files.isWritable(readOnly) ? Path.of("/proc/sys") : readOnly;
    assumeTrue(
        Files.isDirectory(readOnlyDirectory), "there is a directory that no user can write to");

    assertSaid(
        "jdbc:sqlite:" + readOnlyDirectory.resolve("x.db"),
        "The SQLite file " + readOnlyDirectory.resolve("x.db") + " cannot be opened for writing",
        "read-only",
        "set store.url to another path.");
    assertSaid(
        "jdbc:sqlite:" + readOnlyDirectory.resolve("sub/x.db"),
        "The directory "
            + readOnlyDirectory.resolve("sub")
            + " of the SQLite file cannot be created",
        "set store.url to another path.");
  }
}

package dev.mailroom.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.mailroom.databases.Database;
import dev.mailroom.databases.Durability;
import dev.mailroom.databases.H2File;
import dev.mailroom.databases.MariaDbServer;
import dev.mailroom.databases.PostgresServer;
import dev.mailroom.databases.PostgresVersion;
import dev.mailroom.databases.SqliteFile;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

/** Whether a store knows that its database acknowledges what it may lose. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class DurabilityTest {

  private static @Nullable String weakness(Database database, String settings, String init) {
    return weakness(database.jdbcUrl() + settings, init);
  }

  private static @Nullable String weakness(String url, String init) {
    try (HikariDataSource pool = new HikariDataSource()) {
      pool.setJdbcUrl(url);
      pool.setMaximumPoolSize(2);
      pool.setConnectionInitSql(init);
      try (JdbcStore store = JdbcStore.builder(pool).build()) {
        return store.weakness();
      }
    }
  }

  @Test
  void postgresql_is_weak_without_fsync_or_with_asynchronous_commits() {
    try (Database database =
        PostgresServer.shared(PostgresVersion.V18, Durability.FULL).createDatabase()) {
      assertThat(weakness(database, "", "SELECT 1")).isNull();
      assertThat(weakness(database, "", "SET synchronous_commit = local")).isNull();
      assertThat(weakness(database, "", "SET synchronous_commit = off"))
          .contains("synchronous_commit");
    }
    PostgresServer relaxed = PostgresServer.shared(PostgresVersion.V18, Durability.RELAXED);
    assumeThat(relaxed.canBeStopped()).as("The server is not ours to weaken.").isTrue();
    try (Database database = relaxed.createDatabase()) {
      assertThat(weakness(database, "", "SELECT 1")).contains("fsync");
    }
  }

  @Test
  void mariadb_is_weak_unless_it_flushes_at_every_commit() {
    try (Database database = MariaDbServer.shared(Durability.FULL).createDatabase()) {
      assertThat(weakness(database, "", "SELECT 1")).isNull();
    }
    MariaDbServer relaxed = MariaDbServer.shared(Durability.RELAXED);
    assumeThat(relaxed.canBeStopped()).as("The server is not ours to weaken.").isTrue();
    try (Database database = relaxed.createDatabase()) {
      assertThat(weakness(database, "", "SELECT 1")).contains("innodb_flush_log_at_trx_commit is");
    }
  }

  @Test
  void sqlite_is_weak_below_full() {
    try (SqliteFile database = SqliteFile.create()) {
      assertThat(weakness(database, "?synchronous=FULL", "SELECT 1")).isNull();
      assertThat(weakness(database, "?synchronous=EXTRA", "SELECT 1")).isNull();
      assertThat(weakness(database, "?journal_mode=WAL&synchronous=NORMAL", "SELECT 1"))
          .contains("synchronous is 1");
    }
    assertThat(weakness("jdbc:sqlite::memory:", "SELECT 1")).contains("in memory");
  }

  @Test
  void h2_is_weak() {
    try (H2File database = H2File.create()) {
      assertThat(weakness(database, "", "SELECT 1")).contains("H2");
    }
  }
}

package dev.mailroom.processes;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.mailroom.Mailroom;
import dev.mailroom.databases.ChildJvm;
import dev.mailroom.databases.Database;
import dev.mailroom.databases.Durability;
import dev.mailroom.databases.PostgresServer;
import dev.mailroom.databases.PostgresVersion;
import dev.mailroom.jdbc.JdbcStore;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

/**
 * Timeouts fire in a process whose memory would hold only a part of those that are pending. A
 * million in 128 MiB:
 *
 * <pre>
 * mvn -Pquick -pl processes -am test -Dtest=PendingTimeoutsTest \
 *     -Dsurefire.failIfNoSpecifiedTests=false -Dmailroom.pending=1000000 -Dmailroom.pending.heap=128
 * </pre>
 */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class PendingTimeoutsTest {
  private static final int PENDING = Integer.getInteger("mailroom.pending", 50_000);
  private static final int MEGABYTES = Integer.getInteger("mailroom.pending.heap", 32);
  private static final int FIRED = 1_000;
  private static final int BYTES = 1_000;
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  @Test
  void what_is_not_due_is_not_loaded() throws Exception {
    try (Database database =
            PostgresServer.shared(PostgresVersion.V18, Durability.RELAXED).createDatabase();
        HikariDataSource pool = new HikariDataSource()) {
      pool.setJdbcUrl(database.jdbcUrl());
      pool.setMaximumPoolSize(2);
      try (JdbcStore store = JdbcStore.builder(pool).migrateAtStart(true).build()) {
        Timeouts timeouts =
            Timeouts.builder()
                .remoteDestinations(FiringProcess.HERE)
                .acceptWeakDurability()
                .build();
        Mailroom.builder().store(store).contract(byte[].class, "bytes", 1).add(timeouts).build();
        timeouts.request(
            Timeout.of(
                FiringProcess.HERE,
                options -> options.after(Duration.ofHours(1)).payload(new byte[BYTES])));
        multiply(pool);

        try (ChildJvm child = FiringProcess.start(database.jdbcUrl(), MEGABYTES, FIRED)) {
          child.requireGoodEnd(PATIENCE);
          assertThat(child.signs()).containsExactly("fired " + FIRED);
        }
      }
      assertThat(rows(pool)).as("those of the next day").isEqualTo(PENDING);
    }
  }

  /** Copies the one that there is, so that there are many over a day. */
  private static void multiply(DataSource dataSource) throws SQLException {
    try (Connection connection = dataSource.getConnection();
        Statement statement = connection.createStatement()) {
      List<String> names = new ArrayList<>();
      List<String> values = new ArrayList<>();
      try (ResultSet row = statement.executeQuery("SELECT * FROM mailroom_delayed")) {
        for (int i = 1; i <= row.getMetaData().getColumnCount(); i++) {
          String name = row.getMetaData().getColumnName(i);
          names.add(name);
          values.add(
              switch (name) {
                case "id" -> "gen_random_uuid()";
                case "sequence" -> "nextval('mailroom_number')";
                case "visible_at" -> "visible_at + n * (86400000000 / " + PENDING + ")";
                default -> name;
              });
        }
      }
      statement.execute(
          "INSERT INTO mailroom_delayed (%s) SELECT %s FROM mailroom_delayed, generate_series(2, %d) n"
              .formatted(String.join(", ", names), String.join(", ", values), PENDING));
    }
  }

  private static int rows(DataSource dataSource) throws SQLException {
    try (Connection connection = dataSource.getConnection();
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("SELECT count(*) FROM mailroom_delayed")) {
      row.next();
      return row.getInt(1);
    }
  }
}

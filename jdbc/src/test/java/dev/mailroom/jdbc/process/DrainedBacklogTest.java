package dev.mailroom.jdbc.process;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.mailroom.InboxOptions;
import dev.mailroom.Mailroom;
import dev.mailroom.databases.ChildJvm;
import dev.mailroom.databases.Database;
import dev.mailroom.jdbc.JdbcStore;
import dev.mailroom.spi.Channel;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;

/**
 * A backlog is drained by a process whose memory would hold only a part of it. A million messages
 * in 128 MiB:
 *
 * <pre>
 * mvn -Pquick -pl jdbc -am test -Dtest=DrainedBacklogTest -Dsurefire.failIfNoSpecifiedTests=false \
 *     -Dmailroom.backlog=1000000 -Dmailroom.backlog.heap=128
 * </pre>
 */
class DrainedBacklogTest {
  private static final int MESSAGES = Integer.getInteger("mailroom.backlog", 50_000);
  private static final int MEGABYTES = Integer.getInteger("mailroom.backlog.heap", 32);
  private static final int BYTES = 1_000;
  private static final Duration PATIENCE = Duration.ofSeconds(120 + MESSAGES / 1_000);

  @Test
  void its_size_does_not_matter_to_the_memory() throws Exception {
    try (Database database = Product.POSTGRES.create();
        HikariDataSource pool = Post.pool(database.jdbcUrl());
        JdbcStore store = JdbcStore.builder(pool).migrateAtStart(true).build()) {
      Mailroom.builder()
          .store(store)
          .contract(byte[].class, "letter", 1)
          .inbox(DrainingProcess.INBOX, inbox -> {})
          .build()
          .inbox(DrainingProcess.INBOX)
          .write(new byte[BYTES]);
      multiply(pool);

      Stopwatch stopwatch = new Stopwatch();
      try (ChildJvm child = DrainingProcess.start(database.jdbcUrl(), MEGABYTES, MESSAGES)) {
        child.requireGoodEnd(PATIENCE);
        System.out.println(
            "%d messages of %d bytes in a heap of %d MiB: %s"
                .formatted(MESSAGES, BYTES, MEGABYTES, stopwatch.elapsed()));
        assertThat(child.signs()).containsExactly("handled " + MESSAGES);
      }
      InboxOptions options = InboxOptions.defaults();
      Channel channel = new Channel(DrainingProcess.INBOX, options.ordering(), options.policy());
      assertThat(store.counts(channel).ready() + store.counts(channel).leased()).isZero();
    }
  }

  /** Copies the one message that there is, so that there are many. */
  private static void multiply(DataSource dataSource) throws SQLException {
    try (Connection connection = dataSource.getConnection();
        Statement statement = connection.createStatement()) {
      List<String> names = new ArrayList<>();
      List<String> values = new ArrayList<>();
      try (ResultSet row = statement.executeQuery("SELECT * FROM mailroom_message")) {
        for (int i = 1; i <= row.getMetaData().getColumnCount(); i++) {
          String name = row.getMetaData().getColumnName(i);
          names.add(name);
          values.add(
              switch (name) {
                case "id" -> "gen_random_uuid()";
                case "position", "sequence" -> "nextval('mailroom_number')";
                default -> name;
              });
        }
      }
      statement.execute(
          "INSERT INTO mailroom_message (%s) SELECT %s FROM mailroom_message, generate_series(2, %d)"
              .formatted(String.join(", ", names), String.join(", ", values), MESSAGES));
    }
  }
}

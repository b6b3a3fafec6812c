package dev.mailroom.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.mailroom.databases.Database;
import dev.mailroom.databases.Durability;
import dev.mailroom.databases.PostgresServer;
import dev.mailroom.databases.PostgresVersion;
import dev.mailroom.inspection.MessageFilter;
import dev.mailroom.inspection.MessageState;
import dev.mailroom.messages.Target;
import dev.mailroom.spi.Channel;
import dev.mailroom.storetestkit.TestMessages;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

/** What a look into a channel reads has a bound, however large the channel is. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class PostgresInspectionCostTest {
  private static final MessageFilter ALL = MessageFilter.all();

  /** Of every kind, ready ones grouped and not, scheduled, dead and completed: 300,000 rows. */
  private static final int EACH = 60_000;

  private static final String ROWS =
      """
      SELECT (SELECT sum(idx_tup_read) FROM pg_stat_user_indexes)
        + (SELECT sum(seq_tup_read) FROM pg_stat_user_tables)""";
  private static final String PAGES =
      """
      SELECT sum(heap_blks_hit + heap_blks_read + coalesce(idx_blks_hit, 0)
        + coalesce(idx_blks_read, 0)) FROM pg_statio_user_tables""";

  private final Channel channel =
      TestMessages.channel("looked-into").history(Duration.ofDays(1)).build();
  private Database database;
  private HikariDataSource pool;
  private JdbcStore store;

  @BeforeEach
  void open() throws SQLException {
    database = PostgresServer.shared(PostgresVersion.V18, Durability.RELAXED).createDatabase();
    pool = new HikariDataSource();
    pool.setJdbcUrl(database.jdbcUrl());
    pool.setMaximumPoolSize(1); // what it has read is counted per connection
    store = JdbcStore.builder(pool).wakeUps(false).migrateAtStart(true).build();
    for (MessageTable table : MessageTable.values()) { // its workers would count, too
      String name = table.template.replace("{", "mailroom_").replace("}", "");
      execute("ALTER TABLE " + name + " SET (autovacuum_enabled = off)");
    }
  }

  @AfterEach
  void close() {
    store.close();
    pool.close();
    database.close();
  }

  @Test
  void counting_and_searching_read_a_bounded_part_of_many_rows() throws SQLException {
    ManyRows rows = new ManyRows(pool, store, channel);
    rows.begin();
    rows.add(EACH);

    assertBounded("without statistics");
    execute("ANALYZE");
    assertBounded("with statistics");
    assertReads(0, "the newest", () -> search(ALL));
    assertReads(0, "the newest dead", () -> search(ALL.in(MessageState.DEAD)));
  }

  /** A key leads to its record, the record to the message: a few pages of a few indexes. */
  @Test
  void looking_up_a_key_reads_a_few_pages_however_long_the_history_is() throws SQLException {
    ManyRows rows = new ManyRows(pool, store, channel);
    rows.begin();
    rows.add(EACH);
    rows.addKeys(5 * EACH);

    for (String when : List.of("without statistics", "with statistics")) {
      assertReadsFew("its message " + when, () -> store.find(channel, Target.key("key")));
      assertReadsFew("its record " + when, () -> store.key(channel, new Target.ByKey(null, "key")));
      assertReadsFew("no message " + when, () -> store.find(channel, Target.key("none")));
      execute("ANALYZE");
    }
  }

  private void assertReadsFew(String look, Runnable call) throws SQLException {
    long rows = sum(ROWS);
    long pages = sum(PAGES);
    call.run();
    assertThat(sum(ROWS) - rows).as("rows for " + look).isLessThan(100);
    assertThat(sum(PAGES) - pages).as("pages for " + look).isLessThan(100);
  }

  /** Windows: how often the look may go through one; a search does so twice in every table. */
  private void assertBounded(String when) throws SQLException {
    assertReads(5, "counts " + when, () -> store.counts(channel));
    assertReads(8, "a rare contract " + when, () -> search(ALL.contract("rare")));
    assertReads(8, "a rare error " + when, () -> search(ALL.error("rare")));
    assertReads(8, "another time " + when, () -> search(ALL.created(null, Instant.EPOCH)));
    assertReads(6, "a group " + when, () -> search(ALL.groupKey("none")));
    assertReads(6, "a collapse key " + when, () -> search(ALL.collapseKey("rare")));
    assertReads(6, "a tenant " + when, () -> search(ALL.tenant("rare")));
    MessageFilter dead = ALL.in(MessageState.DEAD);
    assertReads(2, "rare dead ones " + when, () -> search(dead.correlationId("rare")));
    assertReads(0, "leased ones " + when, () -> search(ALL.in(MessageState.LEASED)));
    assertReads(0, "a key " + when, () -> store.find(channel, Target.key("key")));
  }

  private void assertReads(int windows, String look, Runnable call) throws SQLException {
    long rows = sum(ROWS);
    long pages = sum(PAGES);
    call.run();
    long most = 5L * windows * Search.WINDOW / 4 + 1_000;
    assertThat(sum(ROWS) - rows).as("rows for " + look).isLessThan(most);
    assertThat(sum(PAGES) - pages).as("pages for " + look).isLessThan(most);
  }

  private void search(MessageFilter filter) {
    store.search(channel, filter, null, 50);
  }

  /** A figure of the server's statistics, with all that this connection has done. */
  private long sum(String query) throws SQLException {
    execute("SELECT pg_stat_force_next_flush()");
    try (Connection connection = pool.getConnection();
        Statement statement = connection.createStatement();
        ResultSet sum = statement.executeQuery(query)) {
      sum.next();
      return sum.getLong(1);
    }
  }

  private void execute(String sql) throws SQLException {
    try (Connection connection = pool.getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }
}

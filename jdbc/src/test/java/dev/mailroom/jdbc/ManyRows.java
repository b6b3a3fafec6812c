package dev.mailroom.jdbc;

import static dev.mailroom.storetestkit.TestMessages.message;

import dev.mailroom.messages.LastError;
import dev.mailroom.spi.Channel;
import dev.mailroom.spi.Lease;
import dev.mailroom.spi.LeaseRequest;
import dev.mailroom.spi.Outcome;
import dev.mailroom.spi.Settlement;
import dev.mailroom.storetestkit.MessageDraft;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import javax.sql.DataSource;

/** Fills the tables of a channel on PostgreSQL with copies of rows that the store has written. */
final class ManyRows {
  private static final Map<String, String> FRESH =
      Map.of(
          "id", "gen_random_uuid()",
          "position", "nextval('mailroom_number')",
          "sequence", "nextval('mailroom_number')",
          "number", "nextval('mailroom_number')",
          "group_key", "CASE WHEN group_key = '' THEN '' ELSE 'group-' || (i / 10) END");

  private final DataSource dataSource;
  private final JdbcStore store;
  private final Channel channel;

  ManyRows(DataSource dataSource, JdbcStore store, Channel channel) {
    this.dataSource = dataSource;
    this.store = store;
    this.channel = channel;
  }

  /** Writes one message of every kind: dead, completed, scheduled, grouped and plain. */
  void begin() {
    append(message("dead"));
    settle(new Outcome.Dead(LastError.of("test.Failure", "It failed.")));
    append(message("completed"));
    settle(Outcome.Completed.INSTANCE);
    append(message("scheduled").delay(Duration.ofDays(1)));
    append(message("grouped").group("first"));
    append(message("plain").key("key"));
  }

  private void append(MessageDraft draft) {
    store.append(channel, List.of(draft.build()), null);
  }

  private void settle(Outcome outcome) {
    LeaseRequest request = new LeaseRequest("worker", 1, 1, Duration.ofMinutes(1), null, true);
    Lease lease = Objects.requireNonNull(store.lease(channel, request).lease());
    Settlement settlement = new Settlement(lease.messages().get(0).id(), lease.token(), outcome);
    store.settle(channel, List.of(settlement));
  }

  /** Adds so many of every kind. */
  void add(int each) throws SQLException {
    copy("mailroom_message", "grouped = 0", each);
    copy("mailroom_message", "grouped = 1", each);
    copy("mailroom_delayed", "true", each);
    copy("mailroom_dead", "true", each);
    copy("mailroom_history", "true", each);
  }

  /** Adds so many keys that other messages, which are gone, have left behind. */
  void addKeys(int count) throws SQLException {
    try (Connection connection = dataSource.getConnection();
        Statement statement = connection.createStatement()) {
      statement.executeUpdate(
          """
          INSERT INTO mailroom_deduplication
          SELECT channel, tenant, 'other-' || i, gen_random_uuid(), fingerprint, accepted_at,
            expires_at, purge_at
          FROM (SELECT * FROM mailroom_deduplication LIMIT 1) one, generate_series(1, %d) i"""
              .formatted(count));
    }
  }

  void copy(String table, String which, int count) throws SQLException {
    try (Connection connection = dataSource.getConnection();
        Statement statement = connection.createStatement()) {
      List<String> columns = new ArrayList<>();
      try (ResultSet found =
          connection.getMetaData().getColumns(null, connection.getSchema(), table, null)) {
        while (found.next()) {
          columns.add(found.getString("COLUMN_NAME"));
        }
      }
      List<String> values =
          columns.stream().map(column -> FRESH.getOrDefault(column, column)).toList();
      statement.executeUpdate(
          "INSERT INTO %s (%s) SELECT %s FROM (SELECT * FROM %s WHERE %s LIMIT 1) one,"
                  .formatted(
                      table, String.join(", ", columns), String.join(", ", values), table, which)
              + " generate_series(1, "
              + count
              + ") i");
    }
  }
}

package dev.mailroom.jdbc.plans;

import static dev.mailroom.storetestkit.TestMessages.message;

import dev.mailroom.spi.Channel;
import dev.mailroom.storetestkit.MessageDraft;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Multiplies a message that the store has stored itself. */
final class Backlog {
  private static final Map<String, String> OF_MESSAGE =
      Map.of("position", "first + n", "sequence", "first + n");
  private static final Map<String, String> OF_DELAYED =
      Map.of("visible_at", "t.visible_at + n", "sequence", "first + n");

  private final Workbench bench;
  private final Channel channel;
  private final String tenant;

  /** A backlog in one channel, of one tenant; an empty name is none. */
  Backlog(Workbench bench, Channel channel, String tenant) {
    this.bench = bench;
    this.channel = channel;
    this.tenant = tenant;
  }

  /** Ready messages without a group. */
  Backlog ready(int count) throws SQLException {
    copy("message", draft(), count, OF_MESSAGE, "");
    return this;
  }

  /** Messages that are due in an hour and later. */
  Backlog delayed(int count) throws SQLException {
    copy("delayed", draft().delay(Duration.ofHours(1)), count, OF_DELAYED, "");
    return this;
  }

  /** Messages that become due one after another, evenly over that time, an hour from now. */
  Backlog delayed(int count, Duration over) throws SQLException {
    long step = over.dividedBy(count).toNanos() / 1_000;
    Map<String, String> changes =
        Map.of("visible_at", "t.visible_at + n::bigint * " + step, "sequence", "first + n");
    copy("delayed", draft().delay(Duration.ofHours(1)), count, changes, "");
    return this;
  }

  /** Ready messages of so many groups in turn, and a turn for every so many messages of a group. */
  Backlog grouped(int count, int groups, int perTurn) throws SQLException {
    String key = "'g' || n % " + groups;
    Map<String, String> changes =
        Map.of("position", "first + n", "sequence", "first + n", "group_key", key);
    String turns =
        """
        INSERT INTO mailroom_turn (position, channel, suspect, tenant, group_key)
        SELECT first + n, t.channel, 0, t.tenant, %s FROM generate_series(1, %d) n, template t
        WHERE (n - 1) / %d %% %d = 0"""
            .formatted(key, count, groups, perTurn);
    copy("message", draft().group("g0"), count, changes, turns);
    return this;
  }

  /** Leases that last for hours, of messages that are gone, like one that was given. */
  Backlog leases(int count) throws SQLException {
    bench.run(
        """
        INSERT INTO mailroom_lease (token, channel, worker, ends_at, held, message_ids)
        SELECT gen_random_uuid(), channel, worker, ends_at + n, 1, '\\x00'
        FROM (SELECT * FROM mailroom_lease LIMIT 1) l, generate_series(1, %d) n"""
            .formatted(count));
    return this;
  }

  private MessageDraft draft() {
    MessageDraft draft = message("x".repeat(40));
    return tenant.isEmpty() ? draft : draft.tenant(tenant);
  }

  private void copy(
      String table, MessageDraft draft, int count, Map<String, String> changes, String more)
      throws SQLException {
    bench.store.append(channel, List.of(draft.build()), null);
    List<String> columns = columns(table);
    List<String> values = new ArrayList<>();
    for (String column : columns) {
      values.add(
          column.equals("id")
              ? "lpad(to_hex(first + n), 32, '0')::uuid"
              : changes.getOrDefault(column, "t." + column));
    }
    bench.run(
        "CREATE TEMP TABLE template AS"
            + " SELECT nextval('mailroom_number') AS first, t.* FROM mailroom_"
            + table
            + " t WHERE id = '"
            + draft.id()
            + "'");
    bench.run(
        "INSERT INTO mailroom_%s (%s) SELECT %s FROM template t, generate_series(1, %d) n"
            .formatted(table, String.join(", ", columns), String.join(", ", values), count));
    if (!more.isEmpty()) {
      bench.run(more);
    }
    bench.run("SELECT setval('mailroom_number', first + " + count + " + 1) FROM template");
    bench.run("DROP TABLE template");
  }

  private List<String> columns(String table) throws SQLException {
    try (Connection connection = bench.connection();
        PreparedStatement statement =
            connection.prepareStatement(
                """
            SELECT column_name FROM information_schema.columns
            WHERE table_schema = current_schema() AND table_name = ?""")) {
      statement.setString(1, "mailroom_" + table);
      List<String> names = new ArrayList<>();
      try (ResultSet rows = statement.executeQuery()) {
        while (rows.next()) {
          names.add(rows.getString(1));
        }
      }
      return names;
    }
  }
}

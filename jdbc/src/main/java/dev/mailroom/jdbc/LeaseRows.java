package dev.mailroom.jdbc;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The leases. Whoever changes what is leased locks the lease's row first and the messages' rows
 * after it.
 */
final class LeaseRows {
  private static final String ADD =
      """
      INSERT INTO {lease} (token, channel, worker, ends_at, held, message_ids)
      VALUES (?, ?, ?, ?, ?, ?)""";
  private static final KeyedRows ROWS =
      new KeyedRows("token, held, message_ids", "{lease}", "token", "", "{lock}");
  private static final String EXPIRED =
      """
      SELECT token, held, message_ids FROM {lease}
      WHERE channel = ? AND ends_at <= ? ORDER BY ends_at LIMIT ? {skip}""";
  private static final String EXTEND =
      "UPDATE {lease} SET ends_at = ? WHERE token = ? AND channel = ?";
  private static final String SHRINK = "UPDATE {lease} SET held = held - ? WHERE token = ?";
  private static final String DROP = "DELETE FROM {lease} WHERE token IN ({list})";

  private LeaseRows() {}

  /** A lease: how many messages it still holds, and what it held at first. */
  record LeaseRow(UUID token, int held, List<UUID> ids) {}

  static void add(Line line, NewLease lease) throws SQLException {
    List<UUID> ids = lease.ids();
    line.session()
        .call(ADD)
        .with(lease.token(), line.id(), lease.worker(), lease.endsAt(), ids.size(), Ids.pack(ids))
        .update();
  }

  /** Locks the leases that are still there; by token. */
  static Map<UUID, LeaseRow> lock(Line line, Collection<UUID> tokens) throws SQLException {
    Map<UUID, LeaseRow> found = new LinkedHashMap<>();
    line.session()
        .dialect
        .lock(line, ROWS, tokens, row -> read(line.session(), row))
        .forEach(row -> found.put(row.token(), row));
    return found;
  }

  /** Locks leases that have ended, the earliest first, passing over those in use. */
  static List<LeaseRow> lockExpired(Line line, int limit) throws SQLException {
    return line.session()
        .call(EXPIRED)
        .with(line.id(), line.session().now(), limit)
        .list(row -> read(line.session(), row));
  }

  private static LeaseRow read(Session session, java.sql.ResultSet row) throws SQLException {
    return new LeaseRow(session.dialect.getId(row, 1), row.getInt(2), Ids.unpack(row.getBytes(3)));
  }

  /** Makes leases last until then; answers with the tokens that are not held. */
  static Set<UUID> extend(Line line, Set<UUID> tokens, long until) throws SQLException {
    List<UUID> sorted = Ids.sorted(tokens);
    List<@Nullable Object[]> sets = new ArrayList<>();
    sorted.forEach(token -> sets.add(new Object[] {until, token, line.id()}));
    int[] counts = line.session().call(EXTEND).batch(sets);
    Set<UUID> unknown = new HashSet<>();
    for (int i = 0; i < counts.length; i++) {
      if (counts[i] == 0) {
        unknown.add(sorted.get(i));
      }
    }
    return unknown;
  }

  /** So many messages of each lease are held no longer; the last one takes the lease with it. */
  static void shrink(Line line, Map<UUID, LeaseRow> locked, Map<UUID, Integer> counts)
      throws SQLException {
    List<@Nullable Object[]> smaller = new ArrayList<>();
    List<UUID> ended = new ArrayList<>();
    for (UUID token : Ids.sorted(counts.keySet())) {
      LeaseRow row = locked.get(token);
      Integer count = counts.get(token);
      if (row != null && count != null && count < row.held()) {
        smaller.add(new Object[] {count, token});
      } else {
        ended.add(token);
      }
    }
    line.session().call(SHRINK).batch(smaller);
    drop(line, ended);
  }

  static void drop(Line line, Collection<UUID> tokens) throws SQLException {
    line.session().sum(Ids.sorted(tokens), piece -> line.session().call(DROP).with(piece).update());
  }
}

package dev.mailroom.jdbc;

import java.sql.Array;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.UUID;

/** Groups on PostgreSQL: one statement for however many groups. */
final class PostgresGroups extends Groups {
  private static final String HOLD =
      """
      INSERT INTO {hold} (channel, tenant, group_key, token, held, from_sequence)
      SELECT ?, g.tenant, g.group_key, ?, 0, g.since
      FROM unnest(?, ?, ?) AS g(tenant, group_key, since)
      ORDER BY g.tenant, g.group_key
      ON CONFLICT DO NOTHING RETURNING tenant, group_key""";
  private static final String PARKED_FROM =
      """
      COALESCE((SELECT min(sequence) FROM {dead} WHERE channel = ? AND parks = 1
        AND tenant = g.tenant AND group_key = g.group_key), 9223372036854775807)""";
  private static final String HEADS =
      """
      SELECT g.number, m.*
      FROM unnest(?, ?, ?) WITH ORDINALITY AS g(tenant, group_key, since, number)
      CROSS JOIN LATERAL (
        SELECT {columns} FROM {message}
        WHERE channel = ? AND grouped = 1 AND tenant = g.tenant AND group_key = g.group_key
          AND sequence >= g.since AND sequence <"""
          + " "
          + PARKED_FROM
          + " ORDER BY sequence LIMIT ?) m LIMIT ?";
  private static final String REFRESH =
      """
      WITH heads AS MATERIALIZED (
        SELECT g.tenant, g.group_key, m.sequence, m.visible_at, m.crashes
        FROM unnest(?, ?, ?) AS g(tenant, group_key, since)
        CROSS JOIN LATERAL (
          SELECT sequence, visible_at, crashes FROM {message}
          WHERE channel = ? AND grouped = 1 AND tenant = g.tenant AND group_key = g.group_key
            AND sequence >= g.since AND sequence <"""
          + " "
          + PARKED_FROM
          + """
           ORDER BY sequence LIMIT 1) m),
        turns AS (
          INSERT INTO {turn} (position, channel, suspect, tenant, group_key, from_sequence)
          SELECT nextval('{number}'), ?, CASE WHEN crashes > 0 THEN 1 ELSE 0 END, tenant,
            group_key, sequence
          FROM heads WHERE visible_at <= ?)
        SELECT tenant, group_key, visible_at FROM heads WHERE visible_at > ?""";

  /** Whoever ends such a hold waits for this claim, and so sees all that the claim has seen. */
  private static final String COVERED =
      """
      SELECT h.tenant, h.group_key FROM unnest(?, ?, ?) AS g(tenant, group_key, since)
      CROSS JOIN LATERAL (
        SELECT tenant, group_key FROM {hold}
        WHERE channel = ? AND tenant = g.tenant AND group_key = g.group_key
          AND from_sequence <= g.since
        LIMIT 1 FOR KEY SHARE SKIP LOCKED) h""";

  private static final String DROP =
      """
      DELETE FROM {hold} WHERE ctid = ANY (ARRAY(
        SELECT h.place FROM unnest(?, ?) AS g(tenant, group_key) CROSS JOIN LATERAL (
          SELECT ctid AS place, token FROM {hold}
          WHERE channel = ? AND tenant = g.tenant AND group_key = g.group_key LIMIT 1) h
        WHERE h.token = ?))""";

  private record Head(int group, MessageRow row) {}

  @Override
  SortedSet<GroupKey> hold(Line line, UUID token, Map<GroupKey, Turn> turns) throws SQLException {
    if (turns.isEmpty()) {
      return new TreeSet<>();
    }
    return new TreeSet<>(
        line.session()
            .call(HOLD)
            .with(line.id(), token)
            .with(arrays(line, turns.values()))
            .list(row -> new GroupKey(row.getString(1), row.getString(2))));
  }

  /** The rows of a group come together and in order, since each group is looked up in its turn. */
  @Override
  Map<GroupKey, List<MessageRow>> heads(Line line, List<Turn> turns, int perGroup, int total)
      throws SQLException {
    Map<GroupKey, List<MessageRow>> heads = new LinkedHashMap<>();
    if (turns.isEmpty()) {
      return heads;
    }
    Session session = line.session();
    List<Head> rows =
        session
            .call(HEADS)
            .with(arrays(line, turns))
            .with(line.id(), line.id(), perGroup, total)
            .list(row -> new Head(row.getInt(1), MessageRow.read(session.dialect, row, 2)));
    int seen = rows.size() < total ? turns.size() : rows.get(rows.size() - 1).group();
    turns.subList(0, seen).forEach(turn -> heads.put(turn.group(), new ArrayList<>()));
    for (Head head : rows) {
      GroupKey group = turns.get(head.group() - 1).group();
      heads.computeIfAbsent(group, key -> new ArrayList<>()).add(head.row());
    }
    return heads;
  }

  @Override
  void drop(Line line, UUID token, SortedSet<GroupKey> groups) throws SQLException {
    if (!groups.isEmpty()) {
      line.session().call(DROP).with(keys(line, groups)).with(line.id(), token).update();
    }
  }

  /**
   * A holder looks at its group from the sequence of the turn that it took. It sees what another
   * turn is concerned with if that is not before it; otherwise the turn is put back. That is so if
   * a transaction took its number early and committed late.
   */
  @Override
  void passOver(Line line, Collection<Turn> turns) throws SQLException {
    if (turns.isEmpty()) {
      return;
    }
    Set<GroupKey> covered = new HashSet<>();
    line.session()
        .call(COVERED)
        .with(arrays(line, turns))
        .with(line.id())
        .list(row -> covered.add(new GroupKey(row.getString(1), row.getString(2))));
    addFresh(line, turns.stream().filter(turn -> !covered.contains(turn.group())).toList());
  }

  @Override
  void refreshFrom(Line line, Collection<Turn> turns) throws SQLException {
    if (turns.isEmpty()) {
      return;
    }
    long now = line.session().now();
    Map<GroupKey, Long> later = new LinkedHashMap<>();
    line.session()
        .call(REFRESH)
        .with(arrays(line, turns))
        .with(line.id(), line.id(), line.id(), now, now)
        .list(row -> later.put(new GroupKey(row.getString(1), row.getString(2)), row.getLong(3)));
    setLater(line, later);
  }

  /** Their groups and where to look from, as arrays. */
  static Object[] arrays(Line line, Collection<Turn> turns) throws SQLException {
    Object[] keys = keys(line, turns.stream().map(Turn::group).toList());
    Long[] since = turns.stream().map(Turn::from).toArray(Long[]::new);
    return new Object[] {
      keys[0], keys[1], line.session().connection.createArrayOf("bigint", since)
    };
  }

  private static Object[] keys(Line line, Collection<GroupKey> groups) throws SQLException {
    String[] tenants = groups.stream().map(GroupKey::tenant).toArray(String[]::new);
    String[] keys = groups.stream().map(GroupKey::key).toArray(String[]::new);
    Array first = line.session().connection.createArrayOf("text", tenants);
    return new Object[] {first, line.session().connection.createArrayOf("text", keys)};
  }
}

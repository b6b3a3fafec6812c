package dev.mailroom.jdbc;

import dev.mailroom.jdbc.GroupStarts.Known;
import java.sql.Array;
import java.sql.SQLException;
import java.sql.SQLTransientException;
import java.util.ArrayList;
import java.util.Collection;
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
      INSERT INTO {hold} (channel, tenant, group_key, token, held)
      SELECT ?, g.tenant, g.group_key, ?, 0 FROM unnest(?, ?) AS g(tenant, group_key)
      ORDER BY g.tenant, g.group_key
      ON CONFLICT DO NOTHING RETURNING tenant, group_key""";
  private static final String PARKED_FROM =
      """
      COALESCE((SELECT min(sequence) FROM {dead} WHERE channel = ? AND parks = 1
        AND tenant = g.tenant AND group_key = g.group_key), 9223372036854775807)""";
  private static final String HEADS =
      """
      SELECT g.number, m.*
      FROM unnest(?, ?, ?) WITH ORDINALITY AS g(tenant, group_key, start, number)
      CROSS JOIN LATERAL (
        SELECT {columns} FROM {message}
        WHERE channel = ? AND grouped = 1 AND tenant = g.tenant AND group_key = g.group_key
          AND\s"""
          + GroupStarts.BEHIND_START
          + " AND sequence < "
          + PARKED_FROM
          + " ORDER BY sequence LIMIT ?) m LIMIT ?";
  private static final String REFRESH =
      """
      WITH heads AS MATERIALIZED (
        SELECT g.tenant, g.group_key, m.visible_at, m.crashes
        FROM unnest(?, ?, ?) AS g(tenant, group_key, start)
        CROSS JOIN LATERAL (
          SELECT visible_at, crashes FROM {message}
          WHERE channel = ? AND grouped = 1 AND tenant = g.tenant AND group_key = g.group_key
            AND\s"""
          + GroupStarts.BEHIND_START
          + " AND sequence < "
          + PARKED_FROM
          + """
           ORDER BY sequence LIMIT 1) m),
        turns AS (
          INSERT INTO {turn} (position, channel, suspect, tenant, group_key)
          SELECT nextval('{number}'), ?, CASE WHEN crashes > 0 THEN 1 ELSE 0 END, tenant, group_key
          FROM heads WHERE visible_at <= ?)
        SELECT tenant, group_key, visible_at FROM heads""";

  private static final String KEEP =
      """
      INSERT INTO {hold} (channel, tenant, group_key, token, held) VALUES (?, ?, ?, ?, 0)
      ON CONFLICT DO NOTHING""";
  private static final String KEEP_HELD =
      """
      SELECT 1 FROM {hold} WHERE channel = ? AND tenant = ? AND group_key = ? FOR UPDATE""";
  private static final String DROP =
      """
      DELETE FROM {hold} WHERE ctid = ANY (ARRAY(
        SELECT h.place FROM unnest(?, ?) AS g(tenant, group_key) CROSS JOIN LATERAL (
          SELECT ctid AS place, token FROM {hold}
          WHERE channel = ? AND tenant = g.tenant AND group_key = g.group_key LIMIT 1) h
        WHERE h.token = ?))""";

  /** Between two looks at a hold, others can drop it and hold the group; not so often, though. */
  private static final int TRIES = 10;

  private final GroupStarts starts;

  PostgresGroups(GroupStarts starts) {
    this.starts = starts;
  }

  private record Head(int group, MessageRow row) {}

  @Override
  SortedSet<GroupKey> hold(Line line, UUID token, Collection<GroupKey> groups) throws SQLException {
    if (groups.isEmpty()) {
      return new TreeSet<>();
    }
    return new TreeSet<>(
        line.session()
            .call(HOLD)
            .with(line.id(), token)
            .with(arrays(line, groups))
            .list(row -> new GroupKey(row.getString(1), row.getString(2))));
  }

  /** The rows of a group come together and in order, since each group is looked up in its turn. */
  @Override
  Map<GroupKey, List<MessageRow>> heads(Line line, List<GroupKey> groups, int perGroup, int total)
      throws SQLException {
    Map<GroupKey, List<MessageRow>> heads = new LinkedHashMap<>();
    if (groups.isEmpty()) {
      return heads;
    }
    Session session = line.session();
    Known known = starts.known(line, groups);
    List<Head> rows =
        session
            .call(HEADS)
            .with(arrays(line, groups))
            .with(known.starts(), line.id(), known.server(), line.id(), perGroup, total)
            .list(row -> new Head(row.getInt(1), MessageRow.read(session.dialect, row, 2)));
    int seen = rows.size() < total ? groups.size() : rows.get(rows.size() - 1).group();
    groups.subList(0, seen).forEach(group -> heads.put(group, new ArrayList<>()));
    for (Head head : rows) {
      heads.computeIfAbsent(groups.get(head.group() - 1), g -> new ArrayList<>()).add(head.row());
    }
    return heads;
  }

  /** Claims lock no rows of a group. Who holds it keeps others away, and is kept in turn. */
  @Override
  void keep(Line line, GroupKey group, UUID token) throws SQLException {
    for (int tries = 0; tries < TRIES; tries++) {
      Session session = line.session();
      if (session.call(KEEP).with(line.id(), group.tenant(), group.key(), token).update() > 0
          || session.call(KEEP_HELD).with(line.id(), group.tenant(), group.key()).first(row -> 1)
              != null) {
        return;
      }
    }
    throw new SQLTransientException("Group " + group.key() + " changes hands all the time.");
  }

  @Override
  void letGo(Line line, GroupKey group, UUID token) throws SQLException {
    drop(line, token, new TreeSet<>(Set.of(group)));
  }

  @Override
  void drop(Line line, UUID token, SortedSet<GroupKey> groups) throws SQLException {
    if (!groups.isEmpty()) {
      line.session().call(DROP).with(arrays(line, groups)).with(line.id(), token).update();
    }
  }

  @Override
  boolean refresh(Line line, Collection<GroupKey> groups) throws SQLException {
    return refresh(line, groups, Map.of());
  }

  /**
   * The same.
   *
   * @param ended runs of which nothing is left in this transaction
   */
  boolean refresh(Line line, Collection<GroupKey> groups, Map<GroupKey, Run> ended)
      throws SQLException {
    if (groups.isEmpty()) {
      return false;
    }
    long now = line.session().now();
    Known known = starts.known(line, groups, ended);
    Map<GroupKey, Long> heads = new LinkedHashMap<>();
    line.session()
        .call(REFRESH)
        .with(arrays(line, groups))
        .with(known.starts(), line.id(), known.server(), line.id(), line.id(), now)
        .each(row -> heads.put(new GroupKey(row.getString(1), row.getString(2)), row.getLong(3)));
    boolean ready = heads.values().removeIf(visibleAt -> visibleAt <= now);
    setLater(line, heads);
    return ready;
  }

  static Object[] arrays(Line line, Collection<GroupKey> groups) throws SQLException {
    String[] tenants = groups.stream().map(GroupKey::tenant).toArray(String[]::new);
    String[] keys = groups.stream().map(GroupKey::key).toArray(String[]::new);
    Array first = line.session().connection.createArrayOf("text", tenants);
    return new Object[] {first, line.session().connection.createArrayOf("text", keys)};
  }
}

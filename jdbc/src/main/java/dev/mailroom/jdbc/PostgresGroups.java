package dev.mailroom.jdbc;

import dev.mailroom.jdbc.GroupStarts.Known;
import dev.mailroom.jdbc.PostgresHolds.Hold;
import dev.mailroom.jdbc.PostgresHolds.Share;
import java.sql.Array;
import java.sql.Connection;
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
import org.jspecify.annotations.Nullable;

/** Groups on PostgreSQL: one statement for however many groups. */
final class PostgresGroups extends Groups {
  private static final String HOLD =
      """
      WITH {holding},
      given AS MATERIALIZED (
        SELECT tenant, group_key, {group_state} FROM unnest(?, ?) AS g(tenant, group_key)),
      gained AS MATERIALIZED (
        SELECT tenant, group_key, {next} + (row_number() OVER () - 1) / {part} AS part
        FROM given WHERE NOT held AND (tenant, group_key) NOT IN (
          SELECT u.tenant, u.group_key FROM {hold} h
          CROSS JOIN LATERAL {groups} AS u(tenant, group_key) WHERE h.token = ?::uuid)),
      added AS (
        INSERT INTO {hold} (token, part, tenants, group_keys, held)
        SELECT ?::uuid, part, array_agg(tenant), array_agg(group_key), array_agg(0)
        FROM gained GROUP BY part)
      SELECT tenant, group_key, false FROM gained
      UNION ALL SELECT tenant, group_key, true FROM given WHERE leaving"""
          .replace("{holding}", HeldGroups.HOLDING)
          .replace("{group_state}", HeldGroups.STATE)
          .replace("{next}", PostgresHolds.NEXT)
          .replace("{groups}", PostgresHolds.GROUPS)
          .replace("{part}", Integer.toString(PostgresHolds.PART));

  /**
   * From which of its messages on a group is parked by a dead letter. Few channels have any such,
   * so a statement asks for that first, once.
   */
  static final String PARKED_FROM =
      """
      CASE WHEN (SELECT 1 FROM {dead} WHERE channel = ? AND parks = 1 LIMIT 1) IS NOT NULL
        THEN (SELECT min(sequence) FROM {dead} WHERE channel = ? AND parks = 1
          AND tenant = g.tenant AND group_key = g.group_key) END""";

  /** Whether a message of a group goes before whatever parks the group. */
  static final String BEFORE_PARKED =
      "sequence < COALESCE(" + PARKED_FROM + ", 9223372036854775807)";

  private static final String HEADS =
      """
      SELECT g.number, m.*
      FROM unnest(?, ?, ?) WITH ORDINALITY AS g(tenant, group_key, start, number)
      CROSS JOIN LATERAL (
        SELECT {columns} FROM {message}
        WHERE channel = ? AND grouped = 1 AND tenant = g.tenant AND group_key = g.group_key
          AND\s"""
          + GroupStarts.BEHIND_START
          + " AND "
          + BEFORE_PARKED
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
          + " AND "
          + BEFORE_PARKED
          + """
           ORDER BY sequence LIMIT 1) m),
        turns AS (
          INSERT INTO {turn} (position, channel, suspect, tenant, group_key)
          SELECT nextval('{number}'), ?, CASE WHEN crashes > 0 THEN 1 ELSE 0 END, tenant, group_key
          FROM heads WHERE visible_at <= ?)
        SELECT tenant, group_key, visible_at FROM heads""";

  private static final String TAKE_TURNS =
      "DELETE FROM {turn} WHERE channel = ? AND suspect = ? AND position = ANY (?)";

  /** A claim waits for nobody, so what others forget at the same moment is left to them. */
  private static final String DROP_LATER =
      """
      DELETE FROM {turn_later} WHERE ctid = ANY (ARRAY(
        SELECT ctid FROM {turn_later} WHERE channel = ? AND tenant = ? AND group_key = ?
        FOR UPDATE SKIP LOCKED))""";

  /** Which groups are held. */
  final HeldGroups held = new HeldGroups();

  private final GroupStarts starts;

  PostgresGroups(GroupStarts starts) {
    this.starts = starts;
  }

  private record Head(int group, MessageRow row) {}

  /** For a claim, which is alone in its channel. */
  @Override
  Held hold(Line line, UUID token, Collection<GroupKey> groups) throws SQLException {
    SortedSet<GroupKey> gained = new TreeSet<>();
    Set<GroupKey> leaving = new HashSet<>();
    if (!groups.isEmpty()) {
      held.bind(line.session().call(HOLD), line)
          .with(arrays(line, groups))
          .with(token, token, token)
          .each(
              row -> {
                GroupKey group = new GroupKey(row.getString(1), row.getString(2));
                (row.getBoolean(3) ? leaving : gained).add(group);
              });
    }
    return new Held(gained, leaving);
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
            .with(known.starts(), line.id(), known.server(), line.id(), line.id())
            .with(perGroup, total)
            .list(row -> new Head(row.getInt(1), MessageRow.read(session.dialect, row, 2)));
    int seen = rows.size() < total ? groups.size() : rows.get(rows.size() - 1).group();
    groups.subList(0, seen).forEach(group -> heads.put(group, new ArrayList<>()));
    for (Head head : rows) {
      heads.computeIfAbsent(groups.get(head.group() - 1), g -> new ArrayList<>()).add(head.row());
    }
    return heads;
  }

  /** Claims lock next to no rows of groups, so anyone could be about to take this one away. */
  @Override
  boolean isContested(MessageRow head) {
    return true;
  }

  /**
   * A claim that began before the row was locked may be about to lease it, and is waited for; those
   * that begin later see the lock.
   */
  @Override
  @Nullable MessageRow lockFree(Line line, UUID id) throws SQLException {
    MessageRow row = Messages.find(line, "{message}", id, true);
    if (row != null && row.group() != null) {
      line.session().call(HeldGroups.AWAIT).with(line.id()).listOf(2, each -> 0);
    }
    return row != null && isFree(line, id) ? row : null;
  }

  @Override
  String dropLater() {
    return DROP_LATER;
  }

  @Override
  void take(Line line, Collection<Turn> turns) throws SQLException {
    Connection connection = line.session().connection;
    for (boolean suspect : new boolean[] {false, true}) {
      Object[] positions =
          turns.stream().filter(turn -> turn.suspect() == suspect).map(Turn::position).toArray();
      if (positions.length > 0) {
        line.session()
            .call(TAKE_TURNS)
            .with(line.id(), suspect, connection.createArrayOf("int8", positions))
            .update();
      }
    }
  }

  /** None are noted as long as the claim goes on, so it holds fewer than none less. */
  @Override
  void setHeld(Line line, UUID token, Map<GroupKey, Integer> counts, SortedSet<GroupKey> none)
      throws SQLException {
    Map<Hold, Share> shares = new LinkedHashMap<>();
    counts.forEach((group, count) -> shares.put(new Hold(token, group), somewhere(-count)));
    none.forEach(group -> shares.put(new Hold(token, group), somewhere(0)));
    PostgresHolds.lessen(line, shares);
  }

  @Override
  void release(Line line, UUID token, Map<GroupKey, Integer> counts) throws SQLException {
    Map<Hold, Share> shares = new LinkedHashMap<>();
    counts.forEach((group, count) -> shares.put(new Hold(token, group), somewhere(count)));
    refresh(line, PostgresHolds.lessen(line, shares));
  }

  private static Share somewhere(int count) {
    return new Share(PostgresHolds.ANY, count);
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
        .with(known.starts(), line.id(), known.server(), line.id(), line.id())
        .with(line.id(), now)
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

package dev.mailroom.jdbc;

import java.sql.SQLException;
import java.util.LinkedHashSet;
import java.util.Set;

/** Makes ready what is due on PostgreSQL: all of it in one statement, and so in one round trip. */
final class PostgresDueRows extends DueRows {
  /** Each row is found again at its place, so that nothing is copied but into its table. */
  private static final String MOVE =
      """
      WITH due AS MATERIALIZED (
        SELECT place, channel, id, grouped, tenant, group_key, {next} AS number FROM (
          SELECT ctid AS place, channel, id, grouped, tenant, group_key FROM {delayed}
          WHERE channel = ? AND crashes = 0 AND visible_at <= ?
          ORDER BY visible_at, sequence LIMIT ? FOR UPDATE SKIP LOCKED) d),
      moved AS (
        INSERT INTO {message} (channel, {columns})
        SELECT g.channel, {values} FROM due g
        CROSS JOIN LATERAL (SELECT * FROM {delayed} WHERE ctid = g.place OFFSET 0) d
        WHERE (SELECT 1 FROM {dead} x WHERE x.channel = g.channel AND x.id = g.id LIMIT 1) IS NULL
        ON CONFLICT DO NOTHING),
      gone AS (DELETE FROM {delayed} WHERE ctid = ANY (ARRAY(SELECT place FROM due))),
      later AS (
        DELETE FROM {turn_later} WHERE ctid = ANY (ARRAY(
          SELECT ctid FROM {turn_later} WHERE channel = ? AND due_at <= ?
          ORDER BY due_at LIMIT ? FOR UPDATE SKIP LOCKED))
        RETURNING tenant, group_key),
      joined AS MATERIALIZED (SELECT DISTINCT tenant, group_key FROM due WHERE grouped = 1),
      turns AS (
        INSERT INTO {turn} (position, channel, suspect, tenant, group_key)
        SELECT {next}, ?, 0, tenant, group_key FROM (
          SELECT tenant, group_key FROM joined UNION SELECT tenant, group_key FROM later) g)
      SELECT tenant, group_key FROM joined"""
          .replace("{next}", GroupStarts.NEXT)
          .replace("{values}", values());

  PostgresDueRows(Groups groups) {
    super(groups);
  }

  /** What was in its place before keeps it, and what was not gets a new one. */
  private static String values() {
    return Columns.prefixed(
        "d.",
        "position",
        "g.number",
        "sequence",
        "CASE WHEN d.placed = 1 THEN d.sequence ELSE g.number END");
  }

  @Override
  Set<GroupKey> move(Line line, int most) throws SQLException {
    long now = line.session().now();
    Set<GroupKey> joined = new LinkedHashSet<>();
    line.session()
        .call(MOVE)
        .with(line.id(), now, most)
        .with(line.id(), now, most)
        .with(line.id())
        .each(row -> joined.add(new GroupKey(row.getString(1), row.getString(2))));
    return joined;
  }
}

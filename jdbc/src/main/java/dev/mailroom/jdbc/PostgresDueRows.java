package dev.mailroom.jdbc;

import dev.mailroom.jdbc.PostgresLine.State;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Makes ready what is due on PostgreSQL: all of it in one statement, and so in one round trip,
 * which also tells what there is to do then.
 */
final class PostgresDueRows {
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
      SELECT tenant, group_key, NULL::bigint, NULL::boolean FROM joined
      UNION ALL
      SELECT NULL, NULL, CASE
        WHEN (SELECT count(*) FROM due) = ? OR (SELECT count(*) FROM later) = ? THEN ?
        ELSE LEAST(
          (SELECT visible_at FROM {delayed} WHERE channel = ? AND crashes = 0 AND visible_at > ?
            ORDER BY visible_at LIMIT 1),
          (SELECT visible_at FROM {delayed} WHERE channel = ? AND crashes > 0 AND visible_at > ?
            ORDER BY visible_at LIMIT 1),
          (SELECT due_at FROM {turn_later} WHERE channel = ? AND due_at > ?
            ORDER BY due_at LIMIT 1)) END,
        EXISTS (SELECT 1 FROM joined) OR EXISTS (SELECT 1 FROM later)"""
          .replace("{next}", GroupStarts.NEXT)
          .replace("{values}", values());

  private PostgresDueRows() {}

  /** What was in its place before keeps it, and what was not gets a new one. */
  private static String values() {
    return Columns.prefixed(
        "d.",
        "position",
        "g.number",
        "sequence",
        "CASE WHEN d.placed = 1 THEN d.sequence ELSE g.number END");
  }

  /**
   * Moves messages that are due, and gives a turn to groups whose head is due. What others have
   * locked they are about to move.
   *
   * @param before what there was to do
   * @param most how many it moves
   * @return what there is to do now
   */
  static State move(Claiming claim, State before, int most) throws SQLException {
    int id = claim.line.id();
    long now = claim.now();
    Set<GroupKey> joined = new LinkedHashSet<>();
    List<State> after = new ArrayList<>(1);
    claim
        .line
        .session()
        .call(MOVE)
        .with(id, now, most)
        .with(id, now, most)
        .with(id)
        .with(most, most, now, id, now, id, now, id, now)
        .each(
            row -> {
              String tenant = row.getString(1);
              if (tenant != null) {
                joined.add(new GroupKey(tenant, row.getString(2)));
              } else {
                boolean turns = before.turns() || row.getBoolean(4);
                after.add(new State(MessageRow.number(row, 3), before.suspects(), turns));
              }
            });
    claim.joined(joined);
    return after.get(0);
  }
}

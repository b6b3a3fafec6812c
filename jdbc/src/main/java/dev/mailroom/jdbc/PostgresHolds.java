package dev.mailroom.jdbc;

import java.sql.Array;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/**
 * Which groups a lease holds on PostgreSQL, and how many messages of each. A row tells that of many
 * groups, a part of those of the lease: a lease that ends as a whole, as most do, takes a few rows
 * along, however many groups it had.
 */
final class PostgresHolds {
  /** The most groups of one part: to give one of them up is to write the others anew. */
  static final int PART = 64;

  /** A part that is not known: all parts of the lease are looked at. */
  static final int ANY = -1;

  /** The groups of one row. */
  static final String GROUPS = "unnest(h.tenants, h.group_keys)";

  /** What the next part of a lease is called. */
  static final String NEXT =
      "(SELECT COALESCE(max(part) + 1, 0) FROM {hold} WHERE token = ?::uuid)";

  private static final String ADD =
      """
      INSERT INTO {hold} (token, part, tenants, group_keys, held)
      SELECT ?::uuid, first + n, g.tenants[{from}], g.group_keys[{from}], g.held[{from}]
      FROM (SELECT ?::text[] AS tenants, ?::text[] AS group_keys, ?::int[] AS held) g
      CROSS JOIN (SELECT {next} AS first) p CROSS JOIN generate_series(0, ?::int) AS n
      RETURNING part"""
          .replace("{next}", NEXT)
          .replace("{from}", "{part} * n + 1 : {part} * n + {part}")
          .replace("{part}", Integer.toString(PART));

  /**
   * The leases hold so many messages less of each group; groups of which nothing is left are no
   * longer held. Nobody else changes what a lease holds: its row is locked. Rows that name none of
   * the groups stay as they are. What is held and what is taken from it are added up, and not
   * joined: no planner can compare each with each.
   */
  private static final String LESSEN =
      """
      WITH given AS MATERIALIZED (
        SELECT * FROM unnest(?::uuid[], ?::int[], ?::text[], ?::text[], ?::int[])
          AS g(token, part, tenant, group_key, count)),
      written AS MATERIALIZED (
        SELECT p.token, h.* FROM (SELECT DISTINCT token, part FROM given) p
        CROSS JOIN LATERAL (
          SELECT ctid AS place, tenants, group_keys, held FROM {hold}
          WHERE token = p.token AND part >= p.part
            AND part <= CASE WHEN p.part = -1 THEN 2147483647 ELSE p.part END OFFSET 0) h),
      changed AS MATERIALIZED (
        SELECT max(place)::tid AS place, tenant, group_key, sum(held)::int AS held,
          bool_or(named) AS named, bool_or(named) AND sum(held) <= 0 AS ended
        FROM (
          SELECT w.place::text AS place, w.token, u.tenant, u.group_key, u.held, false AS named
          FROM written w
          CROSS JOIN LATERAL unnest(w.tenants, w.group_keys, w.held)
            AS u(tenant, group_key, held)
          UNION ALL
          SELECT NULL, token, tenant, group_key, -count, true FROM given) b
        GROUP BY token, tenant, group_key HAVING max(place) IS NOT NULL),
      parts AS MATERIALIZED (
        SELECT place, bool_and(ended) AS empty,
          array_agg(tenant) FILTER (WHERE NOT ended) AS tenants,
          array_agg(group_key) FILTER (WHERE NOT ended) AS group_keys,
          array_agg(held) FILTER (WHERE NOT ended) AS held
        FROM changed GROUP BY place HAVING bool_or(named)),
      emptied AS (
        DELETE FROM {hold} WHERE ctid = ANY (ARRAY(SELECT place FROM parts WHERE empty))),
      kept AS (
        UPDATE {hold} h
        SET tenants = p.tenants, group_keys = p.group_keys, held = p.held
        FROM parts p WHERE h.ctid = p.place AND NOT p.empty)
      SELECT tenant, group_key FROM changed WHERE ended""";

  private PostgresHolds() {}

  /** A group that a lease holds. */
  record Hold(UUID token, GroupKey group) {}

  /**
   * So many messages of a hold.
   *
   * @param part where the hold is written, or {@link #ANY}
   */
  record Share(int part, int count) {
    Share and(Share other) {
      return new Share(part == other.part ? part : ANY, count + other.count);
    }
  }

  /** A lease holds the groups of these runs. */
  static void add(Line line, UUID token, List<Run> runs) throws SQLException {
    if (runs.isEmpty()) {
      return;
    }
    List<GroupKey> groups = runs.stream().map(run -> run.group).toList();
    Integer[] counts = runs.stream().map(Run::left).toArray(Integer[]::new);
    int[] parts =
        line
            .session()
            .call(ADD)
            .with(token)
            .with(PostgresGroups.arrays(line, groups))
            .with(line.session().connection.createArrayOf("int4", counts), token)
            .with((runs.size() - 1) / PART)
            .list(row -> row.getInt(1))
            .stream()
            .mapToInt(Integer::intValue)
            .sorted()
            .toArray();
    for (int i = 0; i < counts.length; i++) {
      runs.get(i).part = parts[i / PART];
    }
  }

  /** Leases hold so many messages less of groups; says which groups are free now. */
  static Set<GroupKey> lessen(Line line, Map<Hold, Share> shares) throws SQLException {
    Set<GroupKey> free = new HashSet<>();
    if (shares.isEmpty()) {
      return free;
    }
    Set<UUID> anywhere = new HashSet<>();
    shares.forEach(
        (hold, share) -> {
          if (share.part() == ANY) {
            anywhere.add(hold.token());
          }
        });
    List<UUID> tokens = new ArrayList<>(shares.size());
    List<Integer> parts = new ArrayList<>(shares.size());
    List<GroupKey> groups = new ArrayList<>(shares.size());
    List<Integer> counts = new ArrayList<>(shares.size());
    shares.forEach(
        (hold, share) -> {
          tokens.add(hold.token());
          parts.add(anywhere.contains(hold.token()) ? ANY : share.part());
          groups.add(hold.group());
          counts.add(share.count());
        });
    line.session()
        .call(LESSEN)
        .with(array(line, "uuid", tokens), array(line, "int4", parts))
        .with(PostgresGroups.arrays(line, groups))
        .with(array(line, "int4", counts))
        .each(row -> free.add(new GroupKey(row.getString(1), row.getString(2))));
    return free;
  }

  private static Array array(Line line, String type, Collection<?> values) throws SQLException {
    return line.session().connection.createArrayOf(type, values.toArray());
  }
}

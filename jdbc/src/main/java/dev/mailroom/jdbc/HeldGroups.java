package dev.mailroom.jdbc;

import java.sql.Array;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Which groups are held, on PostgreSQL. Whoever is about to hold groups of a channel is alone in
 * it: has a lock that lasts until the transaction ends. So a group is free if no lease holds it
 * that was committed before, and nothing has to be inserted twice to find that out. A key that two
 * would meet at had to be the group's own, used again whenever the group is held; and while
 * somebody has an old snapshot open, each use would walk over the remains of all earlier ones.
 *
 * <p>A hold that its lease is about to give up may be followed by no further look at the group:
 * that has been taken, maybe before the message came that a turn speaks of. Such a hold is told by
 * its row, which somebody has touched; the turn stays.
 */
final class HeldGroups {
  private static final String KEY = "('{turn}'::regclass::oid::bigint << 32) | ?::bigint";

  /**
   * To be alone, together with other settings. A process that stops in the middle of a claim does
   * not stop the others for long.
   */
  static final String ALONE =
      """
      set_config('idle_in_transaction_session_timeout', '10s', true),
        pg_advisory_xact_lock(%s)"""
          .formatted(KEY);

  /**
   * Waits for the one who is alone now, and keeps nobody from being so next: what was locked after
   * a savepoint is free again when it is returned to, whatever happens in between.
   */
  static final String AWAIT =
      """
      SAVEPOINT mailroom_await;
      SELECT pg_advisory_xact_lock_shared(%s);
      ROLLBACK TO SAVEPOINT mailroom_await;
      RELEASE SAVEPOINT mailroom_await"""
          .formatted(KEY);

  /**
   * The leases that hold groups, and the groups. Those that were alive at the last look are looked
   * up by their tokens, and so are each lease's groups, whatever the planner believes.
   */
  static final String HOLDING =
      """
      alive AS MATERIALIZED (
        SELECT token, number FROM {lease} WHERE token = ANY (?)
        UNION ALL (
          SELECT token, number FROM {lease}
          WHERE channel = ? AND number > ? * {same_server} ORDER BY number)),
      holding AS MATERIALIZED (
        SELECT u.tenant, u.group_key, h.leaving FROM alive a CROSS JOIN LATERAL (
          SELECT tenants, group_keys, xmax <> '0' AS leaving FROM {hold}
          WHERE token = a.token OFFSET 0) h
        CROSS JOIN LATERAL {groups} AS u(tenant, group_key))"""
          .replace("{groups}", PostgresHolds.GROUPS)
          .replace("{same_server}", GroupStarts.SAME_SERVER);

  /** What is to be remembered of the leases; see {@link Alive#read}. */
  static final String ALIVE =
      "(SELECT max(number) FROM alive), (SELECT array_agg(token) FROM alive)";

  /** Whether a group is held, and whether it may be given up at this moment. */
  static final String STATE =
      """
      (tenant, group_key) IN (SELECT tenant, group_key FROM holding) AS held,
        (tenant, group_key) IN (SELECT tenant, group_key FROM holding WHERE leaving)
          AS leaving""";

  private static final Look NONE = new Look(0, 0, List.of());

  private final Map<Integer, Look> looks = new ConcurrentHashMap<>();

  /** The leases that hold groups: the highest of their numbers, or 0, and their tokens. */
  record Alive(long number, List<UUID> tokens) {
    static Alive read(ResultSet row, int first) throws SQLException {
      Array tokens = row.getArray(first + 1);
      return new Alive(
          row.getLong(first), tokens == null ? List.of() : List.of((UUID[]) tokens.getArray()));
    }
  }

  /**
   * What somebody who was alone has found: no other lease of that server with a number up to this
   * one is alive, nor will be. However long one of them lives, nobody has to walk over the remains
   * of those that came after it.
   */
  private record Look(long server, long number, List<UUID> alive) {}

  /** Gives the values of {@link #HOLDING} to a call. */
  Call bind(Call call, Line line) throws SQLException {
    Look last = looks.getOrDefault(line.id(), NONE);
    return call.with(line.session().connection.createArrayOf("uuid", last.alive().toArray()))
        .with(line.id(), last.number(), last.server());
  }

  /**
   * Somebody who is alone has looked, or was alone then: whoever is silent for too long is alone no
   * longer, and then what others have found since is not replaced.
   *
   * @param given a number that was given out before, as all were that leases had by then
   */
  void looked(int channel, long server, Alive alive, long given) {
    Look look = new Look(server, Math.max(alive.number(), given), alive.tokens());
    looks.merge(channel, look, HeldGroups::later);
  }

  private static Look later(Look one, Look other) {
    return one.server() == other.server() && one.number() > other.number() ? one : other;
  }
}

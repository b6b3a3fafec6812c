package dev.mailroom.jdbc;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

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
   * The leases that hold groups, and the groups. Each lease's are looked up by its token, whatever
   * the planner believes.
   */
  static final String HOLDING =
      """
      alive AS MATERIALIZED (
        SELECT token, number FROM {lease}
        WHERE channel = ? AND number > ? * {same_server} ORDER BY number),
      holding AS MATERIALIZED (
        SELECT h.tenant, h.group_key, h.leaving FROM alive a CROSS JOIN LATERAL (
          SELECT tenant, group_key, xmax <> '0' AS leaving FROM {hold}
          WHERE token = a.token OFFSET 0) h)"""
          .replace("{same_server}", GroupStarts.SAME_SERVER);

  /** Whether a group is held, and whether it may be given up at this moment. */
  static final String STATE =
      """
      (tenant, group_key) IN (SELECT tenant, group_key FROM holding) AS held,
        (tenant, group_key) IN (SELECT tenant, group_key FROM holding WHERE leaving)
          AS leaving""";

  private static final Floor GROUND = new Floor(0, 0);

  private final Map<Integer, Floor> floors = new ConcurrentHashMap<>();

  /** No lease of that server with a smaller number is alive, nor will be. */
  private record Floor(long server, long number) {}

  /** Gives the values of {@link #HOLDING} to a call. */
  Call bind(Call call, int channel) {
    Floor floor = floors.getOrDefault(channel, GROUND);
    return call.with(channel, floor.number(), floor.server());
  }

  /**
   * Somebody who is alone has looked.
   *
   * @param oldest the smallest number of a lease that is alive, if any is
   * @param latest a number that was given out before, as all were that leases had by then
   */
  void looked(int channel, long server, @Nullable Long oldest, long latest) {
    Floor before = floors.getOrDefault(channel, GROUND);
    long known = before.server() == server ? before.number() : 0;
    long number = oldest == null ? Math.max(known, latest) : oldest - 1;
    floors.put(channel, new Floor(server, number));
  }
}

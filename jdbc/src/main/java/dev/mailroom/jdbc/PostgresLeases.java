package dev.mailroom.jdbc;

import java.sql.Array;
import java.sql.SQLException;
import java.util.Collections;
import java.util.List;

/**
 * Leases on PostgreSQL name the positions of their messages, whose rows are not touched: writing a
 * token into a row means writing the whole row anew. A message is leased if its row carries a token
 * or if a lease names its position. A row gets a fresh position whenever it comes back, so an old
 * lease does not speak of it any more.
 *
 * <p>Whoever leases, cancels or removes a message locks its row first; claims of groups do not, and
 * are waited for. What leases there are is asked in a later statement: it sees those of all who had
 * the lock, or were waited for, before. They are asked for in the order of one index, so that no
 * planner takes another one, which would be one of all leases that ever were.
 */
final class PostgresLeases {
  /** Under which lease a row is, or null. */
  static final String TOKEN =
      """
      COALESCE(token, (SELECT l.token FROM {lease} l
        WHERE l.channel = {message}.channel AND l.positions IS NOT NULL
          AND l.last_position >= {message}.position
          AND {message}.position = ANY (l.positions) ORDER BY l.last_position LIMIT 1))""";

  /** What the leases behind a position speak of. */
  static final String LEASED =
      """
      (SELECT unnest(l.positions) FROM {lease} l
        WHERE l.channel = ? AND l.positions IS NOT NULL AND l.last_position > ?
        ORDER BY l.last_position)""";

  private static final String TAKEN =
      """
      COALESCE((SELECT bool_or(p.position IN (SELECT unnest(?::bigint[])))
        FROM (
          SELECT positions FROM {lease}
          WHERE channel = ? AND positions IS NOT NULL AND last_position >= ?
          ORDER BY last_position) l
        CROSS JOIN LATERAL unnest(l.positions) AS p(position)), false)""";
  private static final String IS_TAKEN = "SELECT " + TAKEN;
  private static final String ADD =
      """
      INSERT INTO {lease}
        (token, channel, worker, ends_at, held, message_ids, positions, last_position, number)
      SELECT ?::uuid, ?::int, ?::text, ?::bigint, ?::int, ?::bytea,
        NULLIF(?::bigint[], '{}'), NULLIF(?::bigint, 0),
        CASE WHEN ?::int = 1 THEN nextval('{number}') END""";
  private static final String ADD_UNLESS_TAKEN = ADD + " WHERE NOT " + TAKEN;

  /**
   * Nobody waits until such a lease is on disk. A crash of the server may lose it, and then its
   * messages are ready again, as if it had ended. Whatever is stored under it comes later in the
   * log, and with it the lease is on disk as well.
   */
  private static final String UNAWAITED =
      " RETURNING set_config('synchronous_commit', 'off', true)";

  private PostgresLeases() {}

  /** Adds a lease, unless somebody has leased one of the contested messages since it was picked. */
  static void add(Line line, NewLease lease) throws SQLException {
    List<Long> positions = lease.positions();
    long last = positions.isEmpty() ? 0 : Collections.max(positions);
    List<Long> contested = lease.contested();
    String add = contested.isEmpty() ? ADD : ADD_UNLESS_TAKEN;
    Call call =
        line.session()
            .call(lease.awaited() ? add : add + UNAWAITED)
            .with(lease.token(), line.id(), lease.worker(), lease.endsAt(), lease.ids().size())
            .with(Ids.pack(lease.ids()), array(line, positions), last, lease.holdsGroups());
    if (!contested.isEmpty()) {
      call.with(array(line, contested), line.id(), Collections.min(contested));
    }
    int added = lease.awaited() ? call.update() : call.list(row -> 0).size();
    if (added == 0) {
      throw new TakenException();
    }
  }

  /** Fails if somebody has leased one of these messages since they were locked. */
  static void requireFree(Line line, List<Long> positions) throws SQLException {
    boolean taken =
        line.session()
            .call(IS_TAKEN)
            .with(array(line, positions), line.id(), Collections.min(positions))
            .list(row -> row.getBoolean(1))
            .get(0);
    if (taken) {
      throw new TakenException();
    }
  }

  private static Array array(Line line, List<Long> numbers) throws SQLException {
    return line.session().connection.createArrayOf("int8", numbers.toArray(Long[]::new));
  }

  /** Two have picked the same messages: the claim is done again. */
  private static final class TakenException extends SQLException {
    private static final long serialVersionUID = 1L;

    TakenException() {
      super("Messages were leased by another one at the same moment", SqlErrors.CONFLICT);
    }
  }
}

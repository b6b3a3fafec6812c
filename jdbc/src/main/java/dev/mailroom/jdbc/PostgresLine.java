package dev.mailroom.jdbc;

import dev.mailroom.Ordering;
import dev.mailroom.jdbc.Watermark.Range;
import dev.mailroom.spi.LeaseRequest;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Leases ready messages that belong to no ordered group in one statement, and tells what else there
 * is to do in the channel.
 *
 * <p>The rows to update are named by their place in the table, gathered once and locked: there is
 * no join whose plan could change with the size of the table, and no more rows are locked than
 * asked for.
 */
final class PostgresLine {
  static final String DUE =
      """
      , LEAST(
          (SELECT visible_at FROM {delayed} WHERE channel = ? AND crashes = 0
            ORDER BY visible_at LIMIT 1),
          (SELECT visible_at FROM {delayed} WHERE channel = ? AND crashes > 0
            AND visible_at > (SELECT now FROM time) ORDER BY visible_at LIMIT 1),
          (SELECT due_at FROM {turn_later} WHERE channel = ? ORDER BY due_at LIMIT 1)),
        EXISTS (SELECT 1 FROM {delayed} WHERE channel = ? AND crashes > 0
          AND visible_at <= (SELECT now FROM time))""";
  private static final String TURNS =
      """
      , EXISTS (SELECT 1 FROM {turn} WHERE channel = ? AND suspect = 0)
        OR EXISTS (SELECT 1 FROM {turn} WHERE channel = ? AND suspect = 1)""";
  static final String TIME =
      "WITH time AS MATERIALIZED (SELECT COALESCE(?::bigint, " + PostgresDialect.NOW + ") AS now)";
  private static final String PROBE =
      PostgresDialect.BY_INDEX + TIME + " SELECT now" + DUE + TURNS + " FROM time";

  /** For ordered channels, whose claim looks for turns anyway, and begins where it was. */
  private static final String PROBE_ORDERED =
      PostgresDialect.BY_INDEX + TIME + " SELECT now" + DUE + ", true FROM time";

  private static final String CLAIM =
      TIME
          + """
          , picked AS MATERIALIZED (
            SELECT ctid AS place, position FROM {message}
            WHERE channel = ? AND grouped = 0 AND token IS NULL %s
            LIMIT ? FOR UPDATE SKIP LOCKED),
          leased AS (
            UPDATE {message} SET token = ?, attempts = attempts + 1
            WHERE ctid = ANY (ARRAY(SELECT place FROM picked))
              AND (expires_at IS NULL OR expires_at > (SELECT now FROM time))
            RETURNING {columns})
          SELECT now, (SELECT count(*) FROM picked), (SELECT max(position) FROM picked), leased.*
          FROM time LEFT JOIN leased ON true""";
  static final String ANYBODY = "AND position > ? AND position <= ? ORDER BY position";

  /** No index but the one that begins with the tenant gives this order. */
  static final String TENANT =
      """
      AND (tenant, position) > (?, ?) AND (tenant, position) <= (?, ?) AND tenant <> ''
            ORDER BY tenant, position""";

  private static final String[] CLAIMS = {
    CLAIM.replace("%s", ANYBODY), CLAIM.replace("%s", TENANT)
  };

  private static final int MESSAGE = 4; // the column where it begins
  private static final long LONGEST = Micros.NEVER / 2;

  private PostgresLine() {}

  /** What else there is to do in the channel. */
  record State(@Nullable Long nextDue, boolean suspects, boolean turns) {
    boolean isDue(long now) {
      return nextDue != null && nextDue <= now;
    }

    /** Whether there is nothing to do but to lease what is ready. */
    boolean isQuiet(long now) {
      return !isDue(now) && !suspects && !turns;
    }

    static State read(ResultSet row, int first) throws SQLException {
      return new State(
          MessageRow.number(row, first), row.getBoolean(first + 1), row.getBoolean(first + 2));
    }
  }

  /** What a claim found: how much it looked at, how far that reached, and what it leased. */
  record Found(int picked, long last, List<MessageRow> leased) {
    static final Found NOTHING = new Found(0, 0, List.of());

    /** Whether some that it looked at have outlived their lifetime. */
    boolean someExpired() {
      return leased.size() < picked;
    }
  }

  /** Asks what there is to do in the channel; what comes later is looked up by indexes. */
  static State probe(Line line) throws SQLException {
    Session session = line.session();
    int id = line.id();
    boolean ordered = line.channel().ordering() != Ordering.NONE;
    Call call = session.call(ordered ? PROBE_ORDERED : PROBE);
    call.with(session.suppliedTime(), id, id, id, id);
    if (!ordered) {
      call.with(id, id);
    }
    return call.listOfSecond(
            row -> {
              session.now(row.getLong(1));
              return State.read(row, 2);
            })
        .get(0);
  }

  /** Leases up to that many from a part of the line. */
  static Found take(Line line, LeaseRequest request, UUID token, Range range, int most)
      throws SQLException {
    Session session = line.session();
    String tenant = request.tenant();
    Call call =
        session.call(CLAIMS[tenant == null ? 0 : 1]).with(session.suppliedTime(), line.id());
    within(range, tenant, call).with(most, token);
    List<Found> rows = call.list(row -> read(session, row));
    List<MessageRow> leased = new ArrayList<>(rows.size());
    rows.forEach(row -> leased.addAll(row.leased()));
    Found first = rows.get(0);
    return new Found(first.picked(), first.last(), leased);
  }

  private static Found read(Session session, ResultSet row) throws SQLException {
    session.now(row.getLong(1));
    boolean leased = row.getObject(MESSAGE) != null;
    return new Found(
        row.getInt(2),
        row.getLong(3),
        leased ? List.of(MessageRow.read(session.dialect, row, MESSAGE)) : List.of());
  }

  /** Gives the values of {@link #ANYBODY} or {@link #TENANT} to a call. */
  static Call within(Range range, @Nullable String tenant, Call call) {
    return tenant == null
        ? call.with(range.after(), range.until())
        : call.with(tenant, range.after(), tenant, range.until());
  }

  /** How long a lease lasts, such that it can be added to a time. */
  static long duration(LeaseRequest request) {
    return Math.min(LONGEST, Micros.after(0, request.duration()));
  }
}

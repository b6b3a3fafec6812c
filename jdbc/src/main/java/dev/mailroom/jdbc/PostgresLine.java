package dev.mailroom.jdbc;

import dev.mailroom.jdbc.Watermark.Range;
import dev.mailroom.options.Ordering;
import java.sql.ResultSet;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** Tells what there is to do in a channel, and how to speak of a part of its line. */
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
      PostgresDialect.BY_INDEX_ALONE + TIME + " SELECT now" + DUE + ", true FROM time";

  static final String ANYBODY = "AND position > ? AND position <= ? ORDER BY position";

  /** No index but the one that begins with the tenant gives this order. */
  static final String TENANT =
      """
      AND (tenant, position) > (?, ?) AND (tenant, position) <= (?, ?) AND tenant <> ''
            ORDER BY tenant, position""";

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

  /** Asks what there is to do in the channel; what comes later is looked up by indexes. */
  static State probe(Line line) throws SQLException {
    Session session = line.session();
    int id = line.id();
    boolean ordered = line.channel().ordering() != Ordering.NONE;
    Call call = session.call(ordered ? PROBE_ORDERED : PROBE);
    if (ordered) {
      call.with(id);
    }
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

  /** Keeps others from holding groups of the channel; {@link #probe} does so if it is ordered. */
  static void beAlone(Line line) throws SQLException {
    line.session().call("SELECT " + HeldGroups.ALONE).with(line.id()).list(row -> 0);
  }

  /** Gives the values of {@link #ANYBODY} or {@link #TENANT} to a call. */
  static Call within(Range range, @Nullable String tenant, Call call) {
    return tenant == null
        ? call.with(range.after(), range.until())
        : call.with(tenant, range.after(), tenant, range.until());
  }
}

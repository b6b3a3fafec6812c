package dev.mailroom.jdbc;

import dev.mailroom.inspection.ChannelCounts;
import dev.mailroom.inspection.MessageState;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Counts the messages of one channel: each kind of row by an index, and only so far. What is leased
 * is counted by the leases.
 */
final class Census {
  /** How far each kind is counted. */
  static final int MOST = 10_000;

  /** How many heads are looked at for the oldest grouped message where not all can be. */
  private static final int HEADS = 100;

  /**
   * By kind: how many rows; how many messages of them are ready, wait, are leased; and since when
   * the oldest is ready. The kinds are numbered as {@link Kind} has them.
   */
  private static final String COUNT =
      """
      SELECT 0, COUNT(*), SUM(CASE WHEN token IS NULL AND visible_at <= ? THEN 1 ELSE 0 END),
        SUM(CASE WHEN token IS NULL AND visible_at > ? THEN 1 ELSE 0 END), 0,
        MIN(CASE WHEN token IS NULL AND visible_at <= ? THEN visible_at END)
      FROM (SELECT {token} AS token, visible_at FROM {message} WHERE channel = ? AND grouped = 0
        ORDER BY position LIMIT ?) ungrouped
      UNION ALL
      SELECT 1, COUNT(*), SUM(CASE WHEN token IS NULL AND visible_at <= ? THEN 1 ELSE 0 END),
        SUM(CASE WHEN token IS NULL AND visible_at > ? THEN 1 ELSE 0 END), 0,
        MIN(CASE WHEN token IS NULL AND visible_at <= ? THEN visible_at END)
      FROM (SELECT {token} AS token, visible_at FROM {message} WHERE channel = ? AND grouped = 1
        ORDER BY tenant, {lane}, {place} LIMIT ?) grouped
      UNION ALL
      SELECT 2, COUNT(*), COUNT(*), 0, 0, MIN(visible_at)
      FROM (SELECT visible_at FROM {delayed} WHERE channel = ? AND crashes = 0 AND visible_at <= ?
        ORDER BY visible_at LIMIT ?) due
      UNION ALL
      SELECT 3, COUNT(*), 0, COUNT(*), 0, NULL
      FROM (SELECT visible_at FROM {delayed} WHERE channel = ? AND crashes = 0 AND visible_at > ?
        ORDER BY visible_at LIMIT ?) later
      UNION ALL
      SELECT 4, COUNT(*), SUM(CASE WHEN visible_at <= ? THEN 1 ELSE 0 END),
        SUM(CASE WHEN visible_at > ? THEN 1 ELSE 0 END), 0,
        MIN(CASE WHEN visible_at <= ? THEN visible_at END)
      FROM (SELECT visible_at FROM {delayed} WHERE channel = ? AND crashes > 0 LIMIT ?) suspect
      UNION ALL
      SELECT 5, COUNT(*), 0, 0, SUM(held), NULL
      FROM (SELECT held FROM {lease} WHERE channel = ? ORDER BY ends_at LIMIT ?) leases
      UNION ALL
      SELECT 6, COUNT(*), 0, 0, 0, NULL
      FROM (SELECT id FROM {dead} WHERE channel = ? ORDER BY id LIMIT ?) letters
      UNION ALL
      SELECT 7, COUNT(*), 0, 0, 0, NULL
      FROM (SELECT id FROM {history} WHERE channel = ? ORDER BY id LIMIT ?) completed""";

  /** The heads of the groups whose turn comes next. */
  private static final String OLDEST_HEAD =
      """
      SELECT MIN(due) FROM (
        SELECT (SELECT m.visible_at FROM {message} m
          WHERE m.channel = ? AND m.grouped = 1 AND m.tenant = t.tenant
            AND m.{lane} = t.group_key
          ORDER BY m.{place} LIMIT 1) AS due
        FROM (SELECT tenant, group_key FROM {turn} WHERE channel = ? AND suspect = 0
          ORDER BY position LIMIT ?) t) heads
      WHERE due <= ?""";

  /** What is counted, and whose count it cuts off if there is too much of it. */
  private enum Kind {
    UNGROUPED(MessageState.READY),
    GROUPED(MessageState.READY, MessageState.SCHEDULED),
    DUE(MessageState.READY),
    LATER(MessageState.SCHEDULED),
    SUSPECT(MessageState.READY, MessageState.SCHEDULED),
    LEASE(MessageState.LEASED),
    DEAD(MessageState.DEAD),
    HISTORY(MessageState.COMPLETED);

    @SuppressWarnings("ImmutableEnumChecker") // a copy that nobody changes
    private final List<MessageState> states;

    Kind(MessageState... states) {
      this.states = List.of(states);
    }
  }

  private record Tally(
      Kind kind, long rows, long ready, long scheduled, long leased, @Nullable Long oldest) {
    boolean isCutOff() {
      return rows == MOST;
    }
  }

  private final Line line;
  private final Session session;

  Census(Line line) {
    this.line = line;
    this.session = line.session();
  }

  ChannelCounts count() throws SQLException {
    session.dialect.walkAlongIndexes(session);
    long ready = 0;
    long scheduled = 0;
    long leased = 0;
    long dead = 0;
    long completed = 0;
    Long oldest = null;
    Set<MessageState> atLeast = EnumSet.noneOf(MessageState.class);
    for (Tally tally : tallies()) {
      ready += tally.ready();
      scheduled += tally.scheduled();
      leased += tally.leased();
      dead += tally.kind() == Kind.DEAD ? tally.rows() : 0;
      completed += tally.kind() == Kind.HISTORY ? tally.rows() : 0;
      oldest = earlier(oldest, tally.oldest());
      if (tally.isCutOff()) {
        atLeast.addAll(tally.kind().states);
        oldest = tally.kind() == Kind.GROUPED ? earlier(oldest, oldestHead()) : oldest;
      }
    }
    Duration age = oldest == null ? null : Micros.between(oldest, session.now());
    return new ChannelCounts(ready, scheduled, leased, dead, completed, atLeast, age);
  }

  private List<Tally> tallies() throws SQLException {
    long now = session.now();
    int id = line.id();
    return session
        .call(COUNT)
        .with(now, now, now, id, MOST)
        .with(now, now, now, id, MOST)
        .with(id, now, MOST)
        .with(id, now, MOST)
        .with(now, now, now, id, MOST)
        .with(id, MOST)
        .with(id, MOST)
        .with(id, MOST)
        .list(Census::tally);
  }

  private static Tally tally(ResultSet row) throws SQLException {
    return new Tally(
        Kind.values()[row.getInt(1)],
        row.getLong(2),
        row.getLong(3),
        row.getLong(4),
        row.getLong(5),
        MessageRow.number(row, 6));
  }

  private @Nullable Long oldestHead() throws SQLException {
    return session
        .call(OLDEST_HEAD)
        .with(line.id(), line.id(), HEADS, session.now())
        .list(row -> Optional.ofNullable(MessageRow.number(row, 1)))
        .get(0)
        .orElse(null);
  }

  private static @Nullable Long earlier(@Nullable Long one, @Nullable Long other) {
    if (one == null || other == null) {
      return one == null ? other : one;
    }
    return Math.min(one, other);
  }
}

package dev.mailroom.jdbc;

import dev.mailroom.spi.Inspectable.Counts;
import dev.mailroom.spi.Inspectable.Found;
import dev.mailroom.spi.Inspectable.State;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Looks into one channel. */
final class Inspection {
  private static final String COUNTS =
      """
      SELECT
        COALESCE(SUM(CASE WHEN token IS NULL AND visible_at <= ? THEN 1 ELSE 0 END), 0),
        COALESCE(SUM(CASE WHEN token IS NULL AND visible_at > ? THEN 1 ELSE 0 END), 0),
        COALESCE(SUM(CASE WHEN token IS NULL THEN 0 ELSE 1 END), 0),
        MIN(CASE WHEN token IS NULL AND visible_at <= ? THEN visible_at END)
      FROM {message} WHERE channel = ?""";
  private static final String DELAYED =
      """
      SELECT
        COALESCE(SUM(CASE WHEN visible_at <= ? THEN 1 ELSE 0 END), 0), COUNT(*),
        MIN(CASE WHEN visible_at <= ? THEN visible_at END)
      FROM {delayed} WHERE channel = ?""";
  private static final String DEAD = "SELECT COUNT(*) FROM {dead} WHERE channel = ?";

  /** One statement, so that a message that moves meanwhile is seen in one place. */
  private static final String FIND =
      """
      SELECT {columns}, 0, token FROM {message} WHERE channel = ? AND id = ?
      UNION ALL SELECT {columns}, 1, NULL FROM {delayed} WHERE channel = ? AND id = ?
      UNION ALL SELECT {columns}, 2, NULL FROM {dead} WHERE channel = ? AND id = ?
      UNION ALL SELECT {columns}, 3, NULL FROM {history} WHERE channel = ? AND id = ?""";

  private final Line line;
  private final Session session;

  Inspection(Line line) {
    this.line = line;
    this.session = line.session();
  }

  private record Sums(long ready, long scheduled, long leased, @Nullable Long oldest) {}

  Counts counts() throws SQLException {
    long now = session.now();
    Sums hot =
        session
            .call(COUNTS)
            .with(now, now, now, line.id())
            .list(
                row ->
                    new Sums(
                        row.getLong(1), row.getLong(2), row.getLong(3), MessageRow.number(row, 4)))
            .get(0);
    Sums waiting =
        session
            .call(DELAYED)
            .with(now, now, line.id())
            .list(
                row ->
                    new Sums(
                        row.getLong(1),
                        row.getLong(2) - row.getLong(1),
                        0,
                        MessageRow.number(row, 3)))
            .get(0);
    long dead = session.call(DEAD).with(line.id()).list(row -> row.getLong(1)).get(0);
    Long oldest = hot.oldest();
    if (oldest == null || (waiting.oldest() != null && waiting.oldest() < oldest)) {
      oldest = waiting.oldest();
    }
    return new Counts(
        hot.ready() + waiting.ready(),
        hot.scheduled() + waiting.scheduled(),
        hot.leased(),
        dead,
        oldest == null ? null : Micros.between(oldest, now));
  }

  @Nullable Found find(UUID id) throws SQLException {
    return session
        .call(FIND)
        .with(line.id(), id, line.id(), id, line.id(), id, line.id(), id)
        .first(this::found);
  }

  private Found found(ResultSet row) throws SQLException {
    MessageRow message = MessageRow.read(session.dialect, row, 1);
    int table = row.getInt(1 + Columns.ALL.size());
    boolean leased = row.getObject(2 + Columns.ALL.size()) != null;
    State state =
        switch (table) {
          case 2 -> State.DEAD;
          case 3 -> State.COMPLETED;
          default -> {
            boolean due = message.times().visibleAt() <= session.now();
            State free = due ? State.READY : State.SCHEDULED;
            yield leased ? State.LEASED : free;
          }
        };
    return new Found(message.toMessage(line.name()), state);
  }
}

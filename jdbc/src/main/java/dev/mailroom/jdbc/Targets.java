package dev.mailroom.jdbc;

import dev.mailroom.messages.Due;
import dev.mailroom.messages.Routing;
import dev.mailroom.messages.Target;
import dev.mailroom.spi.Outcome;
import dev.mailroom.spi.Settlement;
import java.sql.SQLException;
import java.sql.SQLTransientException;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Cancels and moves messages that nobody has leased, or that are meant even so. */
final class Targets {
  private static final String BY_KEY =
      """
      SELECT message_id FROM {deduplication}
      WHERE channel = ? AND tenant = ? AND deduplication_key = ?""";
  private static final String FREE_KEY =
      """
      DELETE FROM {deduplication}
      WHERE channel = ? AND tenant = ? AND deduplication_key = ? AND message_id = ?""";

  private static final String READY =
      "UPDATE {message} SET visible_at = ? WHERE channel = ? AND id = ?";
  private static final String WAIT =
      "INSERT INTO {delayed} (channel, {columns}, placed) SELECT channel, "
          + Columns.except("visible_at", "?")
          + ", 0 FROM {message} WHERE channel = ? AND id = ?";
  private static final String WAIT_ON =
      "UPDATE {delayed} SET visible_at = ?, placed = 0 WHERE channel = ? AND id = ?";
  private static final String COME =
      "UPDATE {delayed} SET visible_at = ? WHERE channel = ? AND id = ?";

  private static final String TOKEN =
      "SELECT {token} FROM {message} WHERE channel = ? AND id = ? AND {token} IS NOT NULL";

  /** Between two looks at a message, others can settle and lease it; not so often, though. */
  private static final int TRIES = 10;

  private final Line line;
  private final Session session;
  private final Groups groups;

  Targets(Line line, Groups groups) {
    this.line = line;
    this.session = line.session();
    this.groups = groups;
  }

  /** A message that nobody has leased, locked. */
  private record Free(String table, MessageRow row) {}

  /** Removes the message and frees its key; false if it is leased, dead or gone. */
  boolean cancel(Target target) throws SQLException {
    Free free = find(target);
    boolean done = free != null;
    if (free != null) {
      cancel(free);
    }
    return done;
  }

  private void cancel(Free free) throws SQLException {
    MessageRow row = free.row();
    Messages.delete(line, free.table(), List.of(row.id()));
    // Two may have appended the id at the same moment, one for later and one not.
    if (free.table().equals("{delayed}") && ready(row.id()) != null) {
      Messages.delete(line, "{message}", List.of(row.id()));
    }
    String key = row.envelope().routing().deduplicationKey();
    if (key != null) {
      session.call(FREE_KEY).with(line.id(), tenant(row), key, row.id()).update();
    }
    refresh(row);
  }

  /** Moves the message to another time; false if it is leased, dead or gone. */
  boolean reschedule(Target target, Due due) throws SQLException {
    Free free = find(target);
    boolean done = free != null;
    if (free != null) {
      reschedule(free, NewRows.visibleAt(due, session.now()));
    }
    return done;
  }

  private void reschedule(Free free, long visibleAt) throws SQLException {
    boolean later = visibleAt > session.now();
    boolean isReady = free.row().times().visibleAt() <= session.now();
    if (!later && isReady) {
      return;
    }
    UUID id = free.row().id();
    if (free.table().equals("{delayed}")) {
      session.call(later ? WAIT_ON : COME).with(visibleAt, line.id(), id).update();
    } else if (later) {
      session.call(WAIT).with(visibleAt, line.id(), id).update();
      Messages.delete(line, "{message}", List.of(id));
    } else {
      session.call(READY).with(visibleAt, line.id(), id).update();
    }
    if (free.table().equals("{message}")) {
      refresh(free.row());
    }
  }

  private @Nullable Free find(Target target) throws SQLException {
    UUID id = idOf(line, target);
    if (id == null) {
      return null;
    }
    if (target.includesLeased()) {
      takeLease(target, id);
    }
    // A due message moves from the delayed ones to the ready ones, hence that order and a second
    // look at the first.
    for (String table : List.of("{delayed}", "{message}", "{delayed}")) {
      MessageRow row = table.equals("{message}") ? ready(id) : Messages.find(line, table, id, true);
      if (row != null && isMeant(target, row.envelope().routing())) {
        return new Free(table, row);
      }
    }
    return null;
  }

  /** One that nobody has leased, locked. Its row is left alone if it is leased. */
  private @Nullable MessageRow ready(UUID id) throws SQLException {
    return Groups.isFree(line, id) ? groups.lockFree(line, id) : null;
  }

  /**
   * Gives the message back in its worker's stead, in the order in which everybody locks: its lease
   * before itself. By then it may have been settled, and leased by another one.
   */
  private void takeLease(Target target, UUID id) throws SQLException {
    for (int tries = 0; tries < TRIES; tries++) {
      UUID token =
          session.call(TOKEN).with(line.id(), id).first(row -> session.dialect.getId(row, 1));
      MessageRow row = token == null ? null : Messages.find(line, "{message}", id, false);
      if (token == null || row == null || !isMeant(target, row.envelope().routing())) {
        return;
      }
      Settlement given = new Settlement(id, token, Outcome.Released.INSTANCE);
      if (new Settling(line, groups).settle(List.of(given)).isEmpty()) {
        return;
      }
    }
    throw new SQLTransientException("Message " + id + " changes its lease all the time.");
  }

  /** The id of the message that is meant, or null if nobody knows its key. */
  static @Nullable UUID idOf(Line line, Target target) throws SQLException {
    if (target instanceof Target.ById byId) {
      return byId.id();
    }
    Target.ByKey byKey = (Target.ByKey) target;
    Session session = line.session();
    return session
        .call(BY_KEY)
        .with(line.id(), GroupKey.text(byKey.tenant()), byKey.deduplicationKey())
        .first(row -> session.dialect.getId(row, 1));
  }

  /** The id of a message that is gone may have been used again, with another key. */
  static boolean isMeant(Target target, Routing routing) {
    return !(target instanceof Target.ByKey byKey)
        || (byKey.deduplicationKey().equals(routing.deduplicationKey())
            && Objects.equals(byKey.tenant(), routing.tenant()));
  }

  private void refresh(MessageRow row) throws SQLException {
    GroupKey group = row.group();
    if (group != null) {
      groups.changed(line, List.of(group));
    }
  }

  private static String tenant(MessageRow row) {
    return GroupKey.text(row.envelope().routing().tenant());
  }
}

package dev.mailroom.jdbc;

import dev.mailroom.StoreException;
import dev.mailroom.TransientStoreException;
import dev.mailroom.spi.AppendResult;
import dev.mailroom.spi.Channel;
import dev.mailroom.spi.NewMessage;
import dev.mailroom.spi.NewMessage.Schedule;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Appends plain messages, which are due at once and have neither a deduplication nor a collapse
 * key, in one statement and one round trip. Whatever else there is goes the long way, duplicates
 * included: a statement that meets one stores nothing.
 */
final class PostgresAppends extends Appends {
  /** The most messages of one statement: its values are held in memory several times. */
  private static final int PIECE = 1_000;

  PostgresAppends(Groups groups) {
    super(groups);
  }

  @Override
  List<AppendResult> append(
      Transactions transactions, int id, Channel channel, List<NewMessage> messages) {
    if (isPlain(messages)) {
      Instant acceptedAt = insert(transactions, id, channel, messages);
      if (acceptedAt != null) {
        return accepted(messages, acceptedAt);
      }
    }
    return super.append(transactions, id, channel, messages);
  }

  @Override
  List<AppendResult> within(Line line, List<NewMessage> messages) throws SQLException {
    if (isPlain(messages) && messages.size() <= PIECE) {
      Long acceptedAt =
          messages.size() == 1
              ? PostgresRows.insertOne(line, messages.get(0))
              : insertSome(line, messages);
      if (acceptedAt != null) {
        return accepted(messages, Micros.instant(acceptedAt.longValue()));
      }
    }
    return super.within(line, messages);
  }

  /** When they were accepted, or null if one of them is a duplicate and nothing was stored. */
  private static @Nullable Instant insert(
      Transactions transactions, int id, Channel channel, List<NewMessage> messages) {
    try {
      Long acceptedAt;
      if (messages.size() == 1) {
        acceptedAt =
            transactions.each(
                "append",
                session ->
                    orNone(PostgresRows.insertOne(line(session, id, channel), messages.get(0))));
      } else if (messages.size() <= PIECE) {
        acceptedAt =
            transactions.each(
                "append",
                session -> orNone(PostgresRows.insert(line(session, id, channel), messages, true)));
      } else {
        acceptedAt =
            transactions.run(
                "append", session -> insertPieces(line(session, id, channel), messages));
      }
      return acceptedAt == NONE ? null : Micros.instant(acceptedAt.longValue());
    } catch (StoreException e) {
      if (e.getCause() instanceof SQLException cause && SqlErrors.isDuplicate(cause)) {
        return null; // somebody has stored one of the ids at the same moment
      }
      throw e;
    }
  }

  private static final long NONE = Long.MIN_VALUE;

  private static long orNone(@Nullable Long time) {
    return time == null ? NONE : time;
  }

  private static Line line(Session session, int id, Channel channel) {
    return new Line(session, id, channel);
  }

  private static long insertPieces(Line line, List<NewMessage> messages) throws SQLException {
    line.session().now(); // one time for all pieces
    for (int from = 0; from < messages.size(); from += PIECE) {
      List<NewMessage> piece = messages.subList(from, Math.min(messages.size(), from + PIECE));
      if (PostgresRows.insert(line, piece, true) == null) {
        throw new SQLException("A message is stored already", "23505"); // undoes all pieces
      }
    }
    return line.session().now();
  }

  /** In the caller's transaction, which an error would end. */
  private static @Nullable Long insertSome(Line line, List<NewMessage> messages)
      throws SQLException {
    try {
      return PostgresRows.insert(line, messages, false);
    } catch (PostgresRows.PartlyStoredException e) {
      throw new TransientStoreException(
          "Another has stored some of the messages at the same moment: roll back and repeat.", e);
    }
  }

  private static List<AppendResult> accepted(List<NewMessage> messages, Instant at) {
    List<AppendResult> results = new ArrayList<>(messages.size());
    messages.forEach(message -> results.add(new AppendResult(message.id(), true, at)));
    return results;
  }

  private static boolean isPlain(List<NewMessage> messages) {
    Set<UUID> ids = new HashSet<>();
    for (NewMessage message : messages) {
      Schedule schedule = message.schedule();
      if (message.strict()
          || !schedule.due().equals(Schedule.NOW.due())
          || message.envelope().routing().deduplicationKey() != null
          || message.envelope().routing().collapseKey() != null
          || !ids.add(message.id())) {
        return false;
      }
    }
    return true;
  }
}

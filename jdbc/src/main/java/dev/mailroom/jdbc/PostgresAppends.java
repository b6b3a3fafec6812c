package dev.mailroom.jdbc;

import dev.mailroom.errors.StoreException;
import dev.mailroom.jdbc.PostgresBatch.Needs;
import dev.mailroom.messages.Message;
import dev.mailroom.spi.AppendResult;
import dev.mailroom.spi.Channel;
import dev.mailroom.spi.LeaseRequest;
import dev.mailroom.spi.LeasingWriter.LeasedAppend;
import dev.mailroom.spi.NewMessage;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/**
 * Appends in one statement and one round trip. What a statement cannot do goes the long way: strict
 * messages, batches that repeat an id or a key in themselves, and whatever meets somebody else who
 * writes the same id or key at the same moment.
 */
final class PostgresAppends extends Appends {
  /** The most messages of one statement: its values are held in memory several times. */
  private static final int PIECE = 1_000;

  private final Places places;
  private final Reach reach;
  private final GroupStarts starts;

  PostgresAppends(Groups groups, Places places, Reach reach, GroupStarts starts) {
    super(groups);
    this.places = places;
    this.reach = reach;
    this.starts = starts;
  }

  /** Appends and leases; does not lease what a statement cannot do, or had to wait for. */
  @Override
  LeasedAppend lease(
      Transactions transactions,
      int id,
      Channel channel,
      List<NewMessage> messages,
      LeaseRequest request) {
    if (messages.size() <= Math.min(PIECE, request.limit())
        && isSimple(messages)
        && !Needs.of(messages).collapse()) {
      try {
        LeasedAppend arrival =
            transactions.each(
                "append",
                session ->
                    new PostgresBatch(new Line(session, id, channel), messages)
                        .lease(request, places, starts));
        if (arrival.lease() != null) {
          List<Message> leased = arrival.lease().messages();
          reach.extend(id, leased.get(leased.size() - 1).progress().sequence());
        }
        return arrival;
      } catch (StoreException e) {
        if (!(e.getCause() instanceof SQLException cause) || !metOthers(cause)) {
          throw e;
        }
      }
    }
    return super.lease(transactions, id, channel, messages, request);
  }

  /** Whether somebody stored the same at the same moment, or was waited for too long. */
  private static boolean metOthers(SQLException error) {
    return PostgresBatch.isRace(error) || PostgresArrival.WAITED.equals(error.getSQLState());
  }

  @Override
  List<AppendResult> append(
      Transactions transactions, int id, Channel channel, List<NewMessage> messages) {
    return quickly(transactions, id, channel, messages)
        .orElseGet(() -> super.append(transactions, id, channel, messages));
  }

  @Override
  List<AppendResult> within(Line line, List<NewMessage> messages) throws SQLException {
    List<AppendResult> results = null;
    if (isSimple(messages) && messages.size() <= PIECE) {
      if (isPlain(messages)) {
        results = single(line, messages.get(0), false).orElse(null);
      }
      if (results == null) {
        results = new PostgresBatch(line, messages).join();
      }
    }
    return results == null
        ? PlannerSettings.runForCaller(line.session(), same -> super.within(line, messages))
        : results;
  }

  /** In one statement, or in one for every piece; nothing if that does not do. */
  private static Optional<List<AppendResult>> quickly(
      Transactions transactions, int id, Channel channel, List<NewMessage> messages) {
    if (!isSimple(messages)) {
      return Optional.empty();
    }
    Optional<List<AppendResult>> results = Optional.empty();
    if (isPlain(messages)) {
      results =
          unlessRaced(
              () ->
                  transactions.each(
                      "append",
                      session -> single(new Line(session, id, channel), messages.get(0), true)));
    }
    if (messages.size() > 1 && messages.size() <= PIECE && PostgresFresh.fits(channel, messages)) {
      results =
          unlessRaced(
              () ->
                  transactions.each(
                      "append",
                      session ->
                          Optional.of(
                              new PostgresFresh(new Line(session, id, channel), messages).run())));
    }
    if (results.isEmpty() && messages.size() <= PIECE) {
      results =
          unlessRaced(
              () ->
                  transactions.each(
                      "append",
                      session ->
                          Optional.of(
                              new PostgresBatch(new Line(session, id, channel), messages).run())));
    } else if (results.isEmpty() && !Needs.of(messages).collapse()) {
      results =
          unlessRaced(
              () ->
                  transactions.run(
                      "append",
                      session -> Optional.of(inPieces(new Line(session, id, channel), messages))));
    }
    return results;
  }

  /** A way to append that may find that it does not do. */
  private interface Attempt {
    Optional<List<AppendResult>> run();
  }

  private static Optional<List<AppendResult>> unlessRaced(Attempt attempt) {
    try {
      return attempt.run();
    } catch (StoreException e) {
      if (e.getCause() instanceof SQLException cause && PostgresBatch.isRace(cause)) {
        return Optional.empty();
      }
      throw e;
    }
  }

  private static Optional<List<AppendResult>> single(
      Line line, NewMessage message, boolean strictly) throws SQLException {
    Long acceptedAt = PostgresRow.insert(line, message, strictly);
    return acceptedAt == null
        ? Optional.empty()
        : Optional.of(
            List.of(new AppendResult(message.id(), true, Micros.instant(acceptedAt.longValue()))));
  }

  private static List<AppendResult> inPieces(Line line, List<NewMessage> messages)
      throws SQLException {
    List<AppendResult> results = new ArrayList<>(messages.size());
    for (int from = 0; from < messages.size(); from += PIECE) {
      List<NewMessage> piece = messages.subList(from, Math.min(messages.size(), from + PIECE));
      results.addAll(new PostgresBatch(line, piece).run());
    }
    return results;
  }

  /** One message, due at once and without keys: there is a shorter statement for it. */
  private static boolean isPlain(List<NewMessage> messages) {
    return messages.size() == 1 && Needs.of(messages).nothing();
  }

  /**
   * Whether no message has to do with another one, and none is to be compared with its original.
   */
  private static boolean isSimple(List<NewMessage> messages) {
    if (messages.size() == 1) {
      return !messages.get(0).strict();
    }
    Set<UUID> ids = new HashSet<>();
    Set<GroupKey> keys = new HashSet<>();
    for (NewMessage message : messages) {
      GroupKey key = AppendPlan.keyOf(message);
      if (message.strict() || !ids.add(message.id()) || (key != null && !keys.add(key))) {
        return false;
      }
    }
    return !messages.isEmpty();
  }
}

package dev.mailroom.jdbc;

import dev.mailroom.inspection.DeduplicationEntry;
import dev.mailroom.inspection.InspectedMessage;
import dev.mailroom.inspection.MessageFilter;
import dev.mailroom.messages.Target;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;

/** Reads messages by their ids, wherever they stand, and tells their state. */
final class FoundRows {
  private static final String KEY =
      """
      SELECT message_id, accepted_at, expires_at FROM {deduplication}
      WHERE channel = ? AND tenant = ? AND deduplication_key = ?""";

  private final Line line;
  private final Session session;

  FoundRows(Line line) {
    this.line = line;
    this.session = line.session();
  }

  private record Row(MessageTable table, InspectedMessage message) {}

  /** The message that is meant, wherever it stands. */
  static Optional<InspectedMessage> find(Line line, Target target) throws SQLException {
    UUID id = Targets.idOf(line, target);
    List<UUID> ids = id == null ? List.of() : List.of(id);
    return new FoundRows(line)
        .read(ids, MessageFilter.all()).stream()
            .filter(found -> Targets.isMeant(target, found.message().routing()))
            .findFirst();
  }

  /** What is remembered of a key, by the primary key of its table. */
  static Optional<DeduplicationEntry> key(Line line, Target.ByKey key) throws SQLException {
    Session session = line.session();
    return session
        .call(KEY)
        .with(line.id(), GroupKey.text(key.tenant()), key.deduplicationKey())
        .list(
            row ->
                new DeduplicationEntry(
                    session.dialect.getId(row, 1),
                    Micros.instant(row.getLong(2)),
                    Micros.instant(MessageRow.number(row, 3))))
        .stream()
        .findFirst();
  }

  /**
   * Those of the messages that match the filter, the highest id first. An id that was used again is
   * both alive and in the history; then the one that is alive is meant.
   */
  List<InspectedMessage> read(Collection<UUID> ids, MessageFilter filter) throws SQLException {
    Map<UUID, Row> found = new TreeMap<>(Ids.ORDER.reversed());
    for (Row row : session.pieces(ids, piece -> readPiece(piece, filter))) {
      found.merge(
          row.message().message().id(),
          row,
          (one, other) -> one.table().compareTo(other.table()) <= 0 ? one : other);
    }
    return found.values().stream().map(Row::message).toList();
  }

  /** One statement, so that a message that moves meanwhile is seen in one place. */
  private List<Row> readPiece(List<UUID> ids, MessageFilter filter) throws SQLException {
    List<String> selects = new ArrayList<>();
    List<Object> values = new ArrayList<>();
    for (MessageTable table : MessageTable.values()) {
      if (table.holdsAnyOf(filter.states())) {
        Condition condition =
            new Condition().and("channel = ?", line.id()).and("id IN ({list})", ids);
        table.add(condition, filter, session);
        selects.add(
            "SELECT {columns}, '%s', %s, %s FROM %s%s"
                .formatted(
                    table.name(),
                    table.token(),
                    table.isUnwritten(),
                    table.template,
                    condition.text()));
        Collections.addAll(values, condition.values());
      }
    }
    return session.call(String.join(" UNION ALL ", selects)).with(values.toArray()).list(this::row);
  }

  private Row row(ResultSet row) throws SQLException {
    MessageRow stored = MessageRow.read(session.dialect, row, 1);
    int at = 1 + Columns.ALL.size();
    MessageTable table = MessageTable.valueOf(row.getString(at));
    boolean leased = row.getObject(at + 1) != null;
    MessageRow message = leased && row.getInt(at + 2) != 0 ? stored.leased() : stored;
    boolean due = message.times().visibleAt() <= session.now();
    return new Row(
        table, new InspectedMessage(message.toMessage(line.name()), table.state(leased, due)));
  }
}

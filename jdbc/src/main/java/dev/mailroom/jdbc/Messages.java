package dev.mailroom.jdbc;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** What several verbs do with rows of messages. */
final class Messages {
  private Messages() {}

  /** Removes rows, in the order of the primary key. */
  static int delete(Line line, String table, Collection<UUID> ids) throws SQLException {
    return line.session()
        .sum(
            Ids.sorted(ids),
            piece ->
                line.session()
                    .call("DELETE FROM " + table + " WHERE " + table.replace("}", "_by_ids}"))
                    .with(line.id(), piece)
                    .update());
  }

  /** Reads a row, locking it if asked to, or null. */
  static @Nullable MessageRow find(Line line, String table, UUID id, boolean lock)
      throws SQLException {
    return line.session()
        .call(
            "SELECT {columns} FROM "
                + table
                + " WHERE channel = ? AND id = ?"
                + (lock ? " {lock}" : ""))
        .with(line.id(), id)
        .first(row -> MessageRow.read(line.session().dialect, row, 1));
  }

  /** Leases rows that nobody has leased; says which of them. */
  static List<MessageRow> lease(Line line, UUID token, List<MessageRow> rows) throws SQLException {
    Session session = line.session();
    List<UUID> ids = Ids.sorted(rows.stream().map(MessageRow::id).toList());
    int count =
        session.sum(
            ids,
            piece ->
                session
                    .call(
                        """
                        UPDATE {message} SET token = ?, attempts = attempts + 1
                        WHERE {unwritten} AND {message_by_ids}""")
                    .with(token, line.id(), piece)
                    .update());
    List<MessageRow> leased = new ArrayList<>(rows.stream().map(MessageRow::leased).toList());
    if (count < rows.size()) { // cancelled or moved since they were read
      List<UUID> ours =
          session.pieces(
              ids,
              piece ->
                  session
                      .call(
                          """
                          SELECT id FROM {message}
                          WHERE channel = ? AND token = ? AND id IN ({list})""")
                      .with(line.id(), token, piece)
                      .list(row -> session.dialect.getId(row, 1)));
      leased.removeIf(row -> !ours.contains(row.id()));
    }
    return leased;
  }
}

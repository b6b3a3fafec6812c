package dev.mailroom.jdbc;

import java.sql.SQLException;
import java.util.Collection;
import java.util.List;
import java.util.UUID;

/**
 * Rows of a channel that are read by their keys and locked in the order of the keys, so that two
 * transactions never wait for each other in a ring.
 *
 * @param columns what is read of each
 * @param table the table, as in a template
 * @param key the column with the key
 * @param condition what must hold besides, beginning with AND, or nothing
 * @param lock how they are locked, as in a template
 */
record KeyedRows(String columns, String table, String key, String condition, String lock) {

  /** Reads them with one list of keys in each statement. */
  <T> List<T> readByList(Line line, Collection<UUID> keys, Call.Reader<T> reader)
      throws SQLException {
    String statement =
        "SELECT %s FROM %s WHERE channel = ? AND %s IN ({list}) %s ORDER BY %s %s"
            .formatted(columns, table, key, condition, key, lock);
    Session session = line.session();
    return session.pieces(
        Ids.sorted(keys), piece -> session.call(statement).with(line.id(), piece).list(reader));
  }

  /**
   * Reads each with a look-up of its own, in one statement. Up to PostgreSQL 16 no index gives the
   * rows of a list of keys in their order: without sorts, the planner would rather walk along the
   * whole index, and with them take any other index of a table that it believes to be empty.
   */
  <T> List<T> readByLookUp(Line line, Collection<UUID> keys, Call.Reader<T> reader)
      throws SQLException {
    String statement =
        """
        SELECT r.* FROM unnest(?::uuid[]) AS k(key) CROSS JOIN LATERAL (
          SELECT %s FROM %s WHERE channel = ? AND %s = k.key %s LIMIT 1 %s) r"""
            .formatted(columns, table, key, condition, lock);
    Session session = line.session();
    return session
        .call(statement)
        .with(session.connection.createArrayOf("uuid", Ids.sorted(keys).toArray()), line.id())
        .list(reader);
  }
}

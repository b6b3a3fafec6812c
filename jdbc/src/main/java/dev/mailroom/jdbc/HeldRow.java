package dev.mailroom.jdbc;

import dev.mailroom.messages.LastError;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A leased message without its payload: what its outcome changes. Mutable, of one verb. */
final class HeldRow {
  private static final KeyedRows LEASED =
      new KeyedRows(
          """
          id, {token}, sequence, grouped, tenant, group_key, visible_at, %s, crashes,
            deferrals, parked_since, error_type, error_message, error_detail"""
              .formatted(Columns.ATTEMPTS_OF_LEASED),
          "{message}",
          "id",
          "AND {token} IS NOT NULL",
          "{lock}");
  private static final String UPDATE =
      """
      UPDATE {message} SET token = {no_token}, position = ?, visible_at = ?, attempts = ?,
        crashes = ?, deferrals = ?, parked_since = ?, error_type = ?, error_message = ?,
        error_detail = ?
      WHERE channel = ? AND id = ?""";
  private static final String WAIT =
      """
      INSERT INTO {delayed} (channel, {columns}, placed) SELECT channel, {columns}, 1
      FROM {message} WHERE {message_by_ids}""";

  final UUID id;
  final UUID token;
  final long sequence;
  final @Nullable GroupKey group;
  long visibleAt;
  int attempts;
  int crashes;
  int deferrals;
  @Nullable Long parkedSince;
  @Nullable LastError error;

  private HeldRow(Dialect dialect, ResultSet row) throws SQLException {
    this.id = dialect.getId(row, 1);
    this.token = dialect.getId(row, 2);
    this.sequence = row.getLong(3);
    boolean grouped = row.getInt(4) != 0;
    GroupKey key = new GroupKey(row.getString(5), row.getString(6));
    this.group = grouped ? key : null;
    this.visibleAt = row.getLong(7);
    this.attempts = row.getInt(8);
    this.crashes = row.getInt(9);
    this.deferrals = row.getInt(10);
    this.parkedSince = MessageRow.number(row, 11);
    this.error = MessageRow.error(row.getString(12), row.getString(13), row.getString(14));
  }

  /** The leased ones among these messages, locked; by id. */
  static Map<UUID, HeldRow> lock(Line line, Collection<UUID> ids) throws SQLException {
    Session session = line.session();
    Map<UUID, HeldRow> found = new HashMap<>();
    session
        .dialect
        .lock(line, LEASED, ids, row -> new HeldRow(session.dialect, row))
        .forEach(row -> found.put(row.id, row));
    return found;
  }

  /**
   * Writes rows that are leased no longer and come back: in place if they are grouped or ready, and
   * to the delayed ones if they wait, or are suspects and so are not leased with others.
   */
  static void store(Line line, List<HeldRow> rows) throws SQLException {
    Session session = line.session();
    List<HeldRow> sorted = new ArrayList<>(rows);
    sorted.sort((one, other) -> Ids.ORDER.compare(one.id, other.id));
    long[] positions = session.numbers(sorted.size());
    List<@Nullable Object[]> sets = new ArrayList<>();
    List<UUID> waiting = new ArrayList<>();
    for (int i = 0; i < positions.length; i++) {
      HeldRow row = sorted.get(i);
      sets.add(row.values(line.id(), positions[i]));
      if (row.group == null && (row.crashes > 0 || row.visibleAt > session.now())) {
        waiting.add(row.id);
      }
    }
    session.call(UPDATE).batch(sets);
    // One that waits there already was appended twice at the same moment; this one has been tried.
    Messages.delete(line, "{delayed}", waiting);
    session.sum(waiting, piece -> session.call(WAIT).with(line.id(), piece).update());
    Messages.delete(line, "{message}", waiting);
  }

  private @Nullable Object[] values(int channel, long position) {
    LastError last = error == null ? null : Texts.storable(error);
    return new @Nullable Object[] {
      position,
      visibleAt,
      attempts,
      crashes,
      deferrals,
      parkedSince,
      last == null ? null : last.type(),
      last == null ? null : last.message(),
      last == null ? null : last.detail(),
      channel,
      id
    };
  }
}

package dev.mailroom.jdbc;

import dev.mailroom.spi.Purge;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Removes what has outlived its time, by primary key. */
final class Cleaning {
  /** How long a record that still leads to a message is left alone before it is looked at again. */
  private static final Duration PATIENCE = Duration.ofHours(1);

  private static final String OLD_KEYS =
      """
      SELECT tenant, deduplication_key, message_id FROM {deduplication}
      WHERE channel = ? AND purge_at <= ? ORDER BY purge_at LIMIT ? {skip}""";
  private static final String ALIVE =
      """
      SELECT id FROM {delayed} WHERE {delayed_by_ids}
      UNION ALL SELECT id FROM {message} WHERE {message_by_ids}
      UNION ALL SELECT id FROM {dead} WHERE {dead_by_ids}""";
  private static final String DROP_KEY =
      "DELETE FROM {deduplication} WHERE channel = ? AND tenant = ? AND deduplication_key = ?";
  private static final String KEEP_KEY =
      """
      UPDATE {deduplication} SET purge_at = ?
      WHERE channel = ? AND tenant = ? AND deduplication_key = ?""";
  private static final String OLD_HISTORY =
      """
      SELECT id FROM {history} WHERE channel = ? AND kept_until <= ?
      ORDER BY kept_until LIMIT ? {skip}""";

  private final Line line;
  private final Session session;
  private final Groups groups;

  Cleaning(Line line, Groups groups) {
    this.line = line;
    this.session = line.session();
    this.groups = groups;
  }

  private record OldKey(GroupKey key, UUID messageId) {}

  int purge(Purge what, int limit) throws SQLException {
    return switch (what) {
      case DEAD_LETTERS -> deadLetters(limit);
      case DEDUPLICATION -> keys(limit);
      case HISTORY -> history(limit);
      case IDLE_GROUPS -> 0; // a group has rows only while something is to be done about it
    };
  }

  private int deadLetters(int limit) throws SQLException {
    Duration lifetime = line.policy().deadLetterLifetime();
    if (lifetime == null) {
      return 0;
    }
    long age = Micros.after(0, lifetime);
    return new DeadLetterOffice(line, groups).purge(session.now() - age, limit);
  }

  /**
   * Ends the records whose window has passed. One whose message is unfinished stays, because the
   * message can still be cancelled or moved by its key; it counts no more, and is looked at later.
   */
  private int keys(int limit) throws SQLException {
    List<OldKey> old =
        session
            .call(OLD_KEYS)
            .with(line.id(), session.now(), limit)
            .list(
                row ->
                    new OldKey(
                        new GroupKey(row.getString(1), row.getString(2)),
                        session.dialect.getId(row, 3)));
    Set<UUID> alive =
        new HashSet<>(
            session.pieces(
                old.stream().map(OldKey::messageId).toList(),
                piece ->
                    session
                        .call(ALIVE)
                        .with(line.id(), piece, line.id(), piece, line.id(), piece)
                        .list(row -> session.dialect.getId(row, 1))));
    List<@Nullable Object[]> dropped = new ArrayList<>();
    List<@Nullable Object[]> kept = new ArrayList<>();
    long later = Micros.after(session.now(), PATIENCE);
    for (OldKey each : old) {
      GroupKey key = each.key();
      if (alive.contains(each.messageId())) {
        kept.add(new Object[] {later, line.id(), key.tenant(), key.key()});
      } else {
        dropped.add(new Object[] {line.id(), key.tenant(), key.key()});
      }
    }
    session.call(DROP_KEY).batch(dropped);
    session.call(KEEP_KEY).batch(kept);
    return old.size();
  }

  private int history(int limit) throws SQLException {
    List<UUID> old =
        session
            .call(OLD_HISTORY)
            .with(line.id(), session.now(), limit)
            .list(row -> session.dialect.getId(row, 1));
    return Messages.delete(line, "{history}", old);
  }
}

package dev.mailroom.jdbc;

import dev.mailroom.errors.TransientStoreException;
import dev.mailroom.jdbc.AppendPlan.KeyRecord;
import dev.mailroom.jdbc.AppendPlan.Known;
import dev.mailroom.jdbc.AppendPlan.Taking;
import dev.mailroom.spi.AppendResult;
import dev.mailroom.spi.NewMessage;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Appends messages in one transaction. It reads which ids and keys are taken, plans, and then takes
 * them; if somebody else was faster with one of them, all of it is undone and planned anew.
 */
final class Appending {
  private static final int TRIES = 20;

  private static final String KNOWN =
      """
      SELECT id, created_at, contract, contract_version, payload FROM {delayed}
      WHERE {delayed_by_ids}
      UNION ALL
      SELECT id, created_at, contract, contract_version, payload FROM {message}
      WHERE {message_by_ids}
      UNION ALL
      SELECT id, created_at, contract, contract_version, payload FROM {dead}
      WHERE {dead_by_ids}""";
  private static final String KEYS =
      """
      SELECT deduplication_key, message_id, fingerprint, accepted_at, expires_at
      FROM {deduplication} WHERE channel = ? AND tenant = ? AND deduplication_key IN ({list})""";
  private static final String TAKE_KEY =
      """
      INSERT INTO {deduplication} (channel, tenant, deduplication_key, message_id, fingerprint,
        accepted_at, expires_at, purge_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?)""";
  private static final String RENEW_KEY =
      """
      UPDATE {deduplication} SET message_id = ?, fingerprint = ?, accepted_at = ?, expires_at = ?,
        purge_at = ?
      WHERE channel = ? AND tenant = ? AND deduplication_key = ? AND message_id = ?
        AND expires_at <= ?""";

  private final Line line;
  private final Session session;
  private final Groups groups;
  private List<NewMessage> messages;

  Appending(Line line, Groups groups, List<NewMessage> messages) {
    this.line = line;
    this.session = line.session();
    this.groups = groups;
    this.messages = messages;
  }

  /** Stores all or none in a transaction that is repeated if somebody else was faster. */
  List<AppendResult> run() throws SQLException {
    AppendPlan plan = plan();
    if (!write(plan)) {
      throw new SQLException("Another writes the same id or key", SqlErrors.CONFLICT);
    }
    return plan.results();
  }

  /** Stores all or none in the middle of a transaction that somebody else will end. */
  List<AppendResult> join() throws SQLException {
    for (int tries = 0; tries < TRIES; tries++) {
      Dialect.execute(session.connection, "SAVEPOINT mailroom_append");
      AppendPlan plan = plan();
      boolean done = write(plan);
      if (!done) {
        Dialect.execute(session.connection, "ROLLBACK TO SAVEPOINT mailroom_append");
      }
      Dialect.execute(session.connection, "RELEASE SAVEPOINT mailroom_append");
      if (done) {
        return plan.results();
      }
      messages = again(messages);
    }
    throw new TransientStoreException(
        "Others kept writing the same ids or keys. Nothing was stored; repeat the call.");
  }

  /** The same, of which each is looked for: one of them was there, whatever had been said of it. */
  static List<NewMessage> again(List<NewMessage> messages) {
    return messages.stream().map(NewMessage::again).toList();
  }

  private AppendPlan plan() throws SQLException {
    return new AppendPlan(line, messages, known(), keys());
  }

  /** False if somebody else was faster. */
  private boolean write(AppendPlan plan) throws SQLException {
    if (!takeKeys(plan)) {
      return false;
    }
    Set<GroupKey> freed = new Collapse(line, plan).run();
    NewRows rows = new NewRows(line, plan.stored());
    if (!rows.insert()) {
      return false;
    }
    groups.add(line, rows.turns());
    groups.changed(line, freed);
    return true;
  }

  private boolean takeKeys(AppendPlan plan) throws SQLException {
    List<@Nullable Object[]> fresh = new ArrayList<>();
    for (Taking taking : plan.takings()) {
      KeyRecord record = taking.record();
      if (taking.former() == null) {
        fresh.add(
            new @Nullable Object[] {
              line.id(),
              taking.key().tenant(),
              taking.key().key(),
              record.messageId(),
              record.fingerprint().array(),
              record.acceptedAt(),
              record.expiresAt(),
              taking.purgeAt()
            });
      } else if (!renew(taking, taking.former())) {
        return false;
      }
    }
    return session.dialect.insertAbsentAll(session, TAKE_KEY, fresh) == fresh.size();
  }

  /** Takes a key whose window has passed. */
  private boolean renew(Taking taking, KeyRecord former) throws SQLException {
    KeyRecord record = taking.record();
    return session
            .call(RENEW_KEY)
            .with(record.messageId(), record.fingerprint().array(), record.acceptedAt())
            .with(record.expiresAt(), taking.purgeAt())
            .with(line.id(), taking.key().tenant(), taking.key().key())
            .with(former.messageId(), session.now())
            .update()
        == 1;
  }

  /**
   * One statement, so that a message that moves from table to table meanwhile is seen once. An id
   * that was made for its message alone is not looked for.
   */
  private Map<UUID, Known> known() throws SQLException {
    Set<UUID> ids = new TreeSet<>(Ids.ORDER);
    messages.stream().filter(message -> !message.fresh()).forEach(each -> ids.add(each.id()));
    Map<UUID, Known> known = new HashMap<>();
    session
        .pieces(
            ids,
            piece ->
                session
                    .call(KNOWN)
                    .with(line.id(), piece, line.id(), piece, line.id(), piece)
                    .list(row -> Known.read(session.dialect, row)))
        .forEach(each -> known.put(each.id(), each));
    return known;
  }

  private Map<GroupKey, KeyRecord> keys() throws SQLException {
    Map<String, Set<String>> byTenant = new TreeMap<>();
    for (NewMessage message : messages) {
      GroupKey key = AppendPlan.keyOf(message);
      if (key != null) {
        byTenant.computeIfAbsent(key.tenant(), tenant -> new TreeSet<>()).add(key.key());
      }
    }
    Map<GroupKey, KeyRecord> found = new HashMap<>();
    for (Map.Entry<String, Set<String>> each : byTenant.entrySet()) {
      session
          .pieces(
              each.getValue(),
              piece ->
                  session
                      .call(KEYS)
                      .with(line.id(), each.getKey(), piece)
                      .list(
                          row ->
                              Map.entry(
                                  new GroupKey(each.getKey(), row.getString(1)),
                                  KeyRecord.read(session.dialect, row))))
          .forEach(entry -> found.put(entry.getKey(), entry.getValue()));
    }
    return found;
  }
}

package dev.mailroom.jdbc;

import dev.mailroom.errors.ConflictingDuplicateException;
import dev.mailroom.messages.Contract;
import dev.mailroom.messages.Payload;
import dev.mailroom.messages.Routing;
import dev.mailroom.spi.AppendResult;
import dev.mailroom.spi.NewMessage;
import java.nio.ByteBuffer;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Decides which messages of an append are duplicates, given what is stored already. */
final class AppendPlan {
  private final Session session;
  private final long now;
  private final @Nullable Long expiresAt;
  private final Map<UUID, Known> known;
  private final Map<GroupKey, KeyRecord> keys;
  private final Map<GroupKey, Taking> takings = new TreeMap<>();
  private final List<AppendResult> results = new ArrayList<>();
  private final Map<UUID, NewMessage> accepted = new LinkedHashMap<>();
  private final Set<UUID> found = new HashSet<>();

  /** A message that is stored, or that comes before in the same append. */
  record Known(UUID id, long createdAt, Contract contract, ByteBuffer bytes) {
    static Known read(Dialect dialect, ResultSet row) throws SQLException {
      Contract contract = new Contract(row.getString(3), row.getInt(4));
      return new Known(
          dialect.getId(row, 1), row.getLong(2), contract, ByteBuffer.wrap(row.getBytes(5)));
    }

    boolean isSame(Payload payload) {
      return contract.equals(payload.contract()) && bytes.equals(ByteBuffer.wrap(payload.bytes()));
    }
  }

  /** That a key was used: by which message, with which content, until when that counts. */
  record KeyRecord(
      UUID messageId, ByteBuffer fingerprint, long acceptedAt, @Nullable Long expiresAt) {
    static KeyRecord read(Dialect dialect, ResultSet row) throws SQLException {
      return new KeyRecord(
          dialect.getId(row, 2),
          ByteBuffer.wrap(row.getBytes(3)),
          row.getLong(4),
          MessageRow.number(row, 5));
    }

    boolean hasExpired(long now) {
      return expiresAt != null && expiresAt <= now;
    }
  }

  /**
   * A key to take, in the place of an expired record or of none, and when to look whether its
   * record can go: not before its message is due, for which it stays in any case.
   */
  record Taking(
      GroupKey key, KeyRecord record, @Nullable KeyRecord former, @Nullable Long purgeAt) {}

  AppendPlan(
      Line line, List<NewMessage> messages, Map<UUID, Known> known, Map<GroupKey, KeyRecord> keys)
      throws SQLException {
    this.now = line.session().now();
    Duration window = line.policy().deduplicationWindow();
    this.expiresAt = window == null ? null : Micros.after(now, window);
    this.known = new HashMap<>(known);
    this.keys = keys;
    this.session = line.session();
    for (NewMessage message : messages) {
      decide(message);
    }
  }

  /** The key under which a message is deduplicated, or null. */
  static @Nullable GroupKey keyOf(NewMessage message) {
    Routing routing = message.envelope().routing();
    String key = routing.deduplicationKey();
    return key == null ? null : new GroupKey(GroupKey.text(routing.tenant()), key);
  }

  /** The key under which a message collapses others, or null. */
  static @Nullable GroupKey collapseKeyOf(NewMessage message) {
    Routing routing = message.envelope().routing();
    String key = routing.collapseKey();
    return key == null ? null : new GroupKey(GroupKey.text(routing.tenant()), key);
  }

  /** One result per message, in input order. */
  List<AppendResult> results() {
    return List.copyOf(results);
  }

  /** The keys to take, sorted, so that two appends take the same ones in the same order. */
  Collection<Taking> takings() {
    return takings.values();
  }

  /** What is accepted and not collapsed at once by a later one of the same append. */
  List<NewMessage> stored() {
    Map<GroupKey, UUID> last = new HashMap<>();
    for (NewMessage message : accepted.values()) {
      GroupKey key = collapseKeyOf(message);
      if (key != null) {
        last.put(key, message.id());
      }
    }
    return accepted.values().stream()
        .filter(
            message -> {
              GroupKey key = collapseKeyOf(message);
              return key == null || message.id().equals(last.get(key));
            })
        .toList();
  }

  /**
   * Messages that this append has found to be there already. What it writes must not replace them:
   * the caller is told that they are stored, and would lose them.
   */
  Set<UUID> found() {
    return found;
  }

  private void decide(NewMessage message) throws SQLException {
    GroupKey key = keyOf(message);
    KeyRecord record = key == null ? null : liveRecord(key);
    Known stored = known.get(message.id());
    if (record != null) {
      repeatsKey(message, record);
    } else if (stored != null) {
      repeatsId(message, stored);
    } else {
      accept(message, key);
    }
  }

  private @Nullable KeyRecord liveRecord(GroupKey key) {
    Taking taking = takings.get(key);
    KeyRecord record = taking == null ? keys.get(key) : taking.record();
    return record == null || record.hasExpired(now) ? null : record;
  }

  private void repeatsKey(NewMessage message, KeyRecord record) {
    ByteBuffer fingerprint =
        message.strict() ? fingerprint(message.envelope().payload()) : record.fingerprint();
    requireSame(record.messageId(), message, fingerprint.equals(record.fingerprint()));
    results.add(new AppendResult(record.messageId(), false, Micros.instant(record.acceptedAt())));
    if (record.messageId().equals(message.id())) {
      found.add(message.id());
    }
  }

  private void repeatsId(NewMessage message, Known stored) throws SQLException {
    requireSame(
        stored.id(), message, !message.strict() || isSame(stored, message.envelope().payload()));
    results.add(new AppendResult(stored.id(), false, Micros.instant(stored.createdAt())));
    found.add(stored.id());
  }

  /** A database writes JSON in its own way, so it is asked whether it would write the same. */
  private boolean isSame(Known stored, Payload payload) throws SQLException {
    return stored.isSame(payload)
        || (session.schema.payloads() == PayloadColumn.JSON
            && stored.contract().equals(payload.contract())
            && session.isSameJson(stored.bytes().array(), payload.bytes()));
  }

  private static ByteBuffer fingerprint(Payload payload) {
    return ByteBuffer.wrap(Fingerprint.of(payload));
  }

  private static void requireSame(UUID original, NewMessage message, boolean same) {
    if (message.strict() && !same) {
      throw new ConflictingDuplicateException(message.id(), original);
    }
  }

  private void accept(NewMessage message, @Nullable GroupKey key) {
    Payload payload = message.envelope().payload();
    results.add(new AppendResult(message.id(), true, Micros.instant(now)));
    accepted.put(message.id(), message);
    known.put(
        message.id(),
        new Known(message.id(), now, payload.contract(), ByteBuffer.wrap(payload.bytes())));
    if (key != null) {
      KeyRecord record = new KeyRecord(message.id(), fingerprint(payload), now, expiresAt);
      long due = NewRows.visibleAt(message.schedule().due(), now);
      Long purgeAt = expiresAt == null ? null : Long.valueOf(Math.max(expiresAt, due));
      takings.put(key, new Taking(key, record, keys.get(key), purgeAt));
    }
  }
}

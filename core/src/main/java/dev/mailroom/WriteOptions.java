package dev.mailroom;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What is particular to one write. Immutable: each method answers a changed copy. What is given
 * here goes before what the payload says of itself.
 */
public final class WriteOptions {
  /** Nothing particular. */
  public static final WriteOptions NONE = new WriteOptions();

  @Nullable UUID messageId;
  @Nullable TypeReference<?> type;
  @Nullable String tenant;
  @Nullable String groupKey;
  @Nullable String deduplicationKey;
  @Nullable String collapseKey;
  @Nullable String correlationId;
  @Nullable String causationId;
  @Nullable Instant receivedAt;
  @Nullable Duration lifetime;
  @Nullable Transaction transaction;
  Due due = Due.NOW;
  boolean strict;
  Map<String, String> headers = Map.of();

  private WriteOptions() {}

  private WriteOptions(WriteOptions other) {
    messageId = other.messageId;
    type = other.type;
    tenant = other.tenant;
    groupKey = other.groupKey;
    deduplicationKey = other.deduplicationKey;
    collapseKey = other.collapseKey;
    correlationId = other.correlationId;
    causationId = other.causationId;
    receivedAt = other.receivedAt;
    lifetime = other.lifetime;
    transaction = other.transaction;
    due = other.due;
    strict = other.strict;
    headers = other.headers;
  }

  /** The caller's own message id: writing the same one twice is a duplicate. */
  public WriteOptions messageId(UUID value) {
    WriteOptions copy = new WriteOptions(this);
    copy.messageId = value;
    return copy;
  }

  /** The generic type under which the payload is written. */
  public WriteOptions type(TypeReference<?> value) {
    WriteOptions copy = new WriteOptions(this);
    copy.type = value;
    return copy;
  }

  /** Whose message it is. */
  public WriteOptions tenant(String value) {
    WriteOptions copy = new WriteOptions(this);
    copy.tenant = value;
    return copy;
  }

  /** The group whose messages are handled one after another. */
  public WriteOptions groupKey(String value) {
    WriteOptions copy = new WriteOptions(this);
    copy.groupKey = value;
    return copy;
  }

  /** A second message with this key within the window is a duplicate. */
  public WriteOptions deduplicationKey(String value) {
    WriteOptions copy = new WriteOptions(this);
    copy.deduplicationKey = value;
    return copy;
  }

  /** A newer message with this key replaces older ones that nobody has leased. */
  public WriteOptions collapseKey(String value) {
    WriteOptions copy = new WriteOptions(this);
    copy.collapseKey = value;
    return copy;
  }

  /** The conversation it is part of. */
  public WriteOptions correlationId(String value) {
    WriteOptions copy = new WriteOptions(this);
    copy.correlationId = value;
    return copy;
  }

  /** The message or request that caused it. */
  public WriteOptions causationId(String value) {
    WriteOptions copy = new WriteOptions(this);
    copy.causationId = value;
    return copy;
  }

  /** When it came in; for display and age, never for order. */
  public WriteOptions receivedAt(Instant value) {
    WriteOptions copy = new WriteOptions(this);
    copy.receivedAt = value;
    return copy;
  }

  /** Not handled before this time by the store's clock. */
  public WriteOptions visibleAfter(Instant value) {
    WriteOptions copy = new WriteOptions(this);
    copy.due = Due.at(value);
    return copy;
  }

  /** Not handled before this much time has passed by the store's clock. */
  public WriteOptions delay(Duration value) {
    WriteOptions copy = new WriteOptions(this);
    copy.due = Due.after(value);
    return copy;
  }

  /** Dead-lettered as expired instead of handled when this much time has passed. */
  public WriteOptions lifetime(Duration value) {
    WriteOptions copy = new WriteOptions(this);
    copy.lifetime = value;
    return copy;
  }

  /** One more header. */
  public WriteOptions header(String name, String value) {
    WriteOptions copy = new WriteOptions(this);
    Map<String, String> more = new HashMap<>(headers);
    more.put(name, value);
    copy.headers = Map.copyOf(more);
    return copy;
  }

  /** Makes a duplicate whose content differs an error instead of a quiet duplicate. */
  public WriteOptions strict() {
    WriteOptions copy = new WriteOptions(this);
    copy.strict = true;
    return copy;
  }

  /** Joins this transaction: visible only after its commit; a rollback leaves nothing. */
  public WriteOptions in(Transaction value) {
    WriteOptions copy = new WriteOptions(this);
    copy.transaction = value;
    return copy;
  }
}

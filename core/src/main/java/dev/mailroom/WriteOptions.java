package dev.mailroom;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import java.util.function.Consumer;
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

  private WriteOptions with(Consumer<WriteOptions> change) {
    WriteOptions copy = new WriteOptions(this);
    change.accept(copy);
    return copy;
  }

  /** The caller's own message id: writing the same one twice is a duplicate. */
  public WriteOptions messageId(UUID value) {
    return with(copy -> copy.messageId = value);
  }

  /** The generic type under which the payload is written. */
  public WriteOptions type(TypeReference<?> value) {
    return with(copy -> copy.type = value);
  }

  /** Whose message it is. */
  public WriteOptions tenant(String value) {
    return with(copy -> copy.tenant = value);
  }

  /** The group whose messages are handled one after another. */
  public WriteOptions groupKey(String value) {
    return with(copy -> copy.groupKey = value);
  }

  /** A second message with this key within the window is a duplicate. */
  public WriteOptions deduplicationKey(String value) {
    return with(copy -> copy.deduplicationKey = value);
  }

  /** A newer message with this key replaces older ones that nobody has leased. */
  public WriteOptions collapseKey(String value) {
    return with(copy -> copy.collapseKey = value);
  }

  /** The conversation it is part of. */
  public WriteOptions correlationId(String value) {
    return with(copy -> copy.correlationId = value);
  }

  /** The message or request that caused it. */
  public WriteOptions causationId(String value) {
    return with(copy -> copy.causationId = value);
  }

  /** When it came in; for display and age, never for order. */
  public WriteOptions receivedAt(Instant value) {
    return with(copy -> copy.receivedAt = value);
  }

  /** Not handled before this time by the store's clock. */
  public WriteOptions visibleAfter(Instant value) {
    return with(copy -> copy.due = Due.at(value));
  }

  /** Not handled before this much time has passed by the store's clock. */
  public WriteOptions delay(Duration value) {
    return with(copy -> copy.due = Due.after(value));
  }

  /** Dead-lettered as expired instead of handled when this much time has passed. */
  public WriteOptions lifetime(Duration value) {
    return with(copy -> copy.lifetime = value);
  }

  /** One more header. */
  public WriteOptions header(String name, String value) {
    return headers(Map.of(name, value));
  }

  /** More headers. */
  public WriteOptions headers(Map<String, String> values) {
    Map<String, String> more = new HashMap<>(headers);
    more.putAll(values);
    return with(copy -> copy.headers = Map.copyOf(more));
  }

  /** Makes a duplicate whose content differs an error instead of a quiet duplicate. */
  public WriteOptions strict() {
    return with(copy -> copy.strict = true);
  }

  /** Joins this transaction: visible only after its commit; a rollback leaves nothing. */
  public WriteOptions in(Transaction value) {
    return with(copy -> copy.transaction = value);
  }
}

package dev.mailroom.outbox;

import dev.mailroom.errors.InvalidMessageException;
import dev.mailroom.messages.Limits;
import dev.mailroom.messages.TypeReference;
import dev.mailroom.messages.WriteOptions;
import dev.mailroom.outbox.spi.OutboxMessage;
import dev.mailroom.transactions.Transaction;
import java.time.Instant;
import java.util.Locale;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What is particular to one event. Immutable: each method answers a changed copy, and refuses at
 * once what could not be stored.
 */
public final class EventOptions {
  /** Nothing particular. */
  public static final EventOptions NONE = new EventOptions(WriteOptions.defaults(), Shown.NOTHING);

  private final WriteOptions write;
  private final Shown shown;

  private EventOptions(WriteOptions write, Shown shown) {
    this.write = write;
    this.shown = shown;
  }

  /** What checks and receipts need to know of what is written. */
  private record Shown(
      @Nullable String topic,
      @Nullable String correlationId,
      @Nullable String causationId,
      @Nullable String tenant,
      @Nullable TypeReference<?> type) {
    private static final Shown NOTHING = new Shown(null, null, null, null, null);
  }

  private EventOptions with(WriteOptions other) {
    return new EventOptions(other, shown);
  }

  /** The event's own id: adding the same one twice is a duplicate. */
  public EventOptions messageId(UUID value) {
    return with(write.messageId(value));
  }

  /** Where it is to be published; what that means is the dispatcher's. Not blank. */
  public EventOptions topic(String value) {
    String checked = Limits.requireName("topic", value);
    return new EventOptions(
        write.header(OutboxMessage.TOPIC_HEADER, checked),
        new Shown(checked, shown.correlationId, shown.causationId, shown.tenant, shown.type));
  }

  /** Events with one key (of one tenant) are published in the order they were added. Not blank. */
  public EventOptions key(String value) {
    if (value == null || value.isBlank()) {
      throw new InvalidMessageException(
          "The key of an event is blank: leave it out for an event that needs no order.");
    }
    return with(write.groupKey(Limits.requireName("key", value)));
  }

  /** Not published before this time by the store's clock. */
  public EventOptions visibleAfter(Instant value) {
    return with(write.visibleAfter(value));
  }

  /** The conversation it is part of. */
  public EventOptions correlationId(String value) {
    String checked = Limits.requireName("correlation id", value);
    return new EventOptions(
        write.correlationId(checked),
        new Shown(shown.topic, checked, shown.causationId, shown.tenant, shown.type));
  }

  /** The message or request that caused it. */
  public EventOptions causationId(String value) {
    String checked = Limits.requireName("causation id", value);
    return new EventOptions(
        write.causationId(checked),
        new Shown(shown.topic, shown.correlationId, checked, shown.tenant, shown.type));
  }

  /** Whose event it is. */
  public EventOptions tenant(String value) {
    String checked = Limits.requireName("tenant", value);
    return new EventOptions(
        write.tenant(checked),
        new Shown(shown.topic, shown.correlationId, shown.causationId, checked, shown.type));
  }

  /** One more header, published with it. */
  public EventOptions header(String name, String value) {
    if (Limits.requireName("header name", name)
        .toLowerCase(Locale.ROOT)
        .startsWith(OutboxMessage.RESERVED)) {
      throw new InvalidMessageException(
          "The header '"
              + name
              + "' begins with '"
              + OutboxMessage.RESERVED
              + "', which is for the outbox itself: choose another name.");
    }
    return with(write.header(name, value));
  }

  /** The generic type under which the event is written. */
  public EventOptions type(TypeReference<?> value) {
    return new EventOptions(
        write.type(value),
        new Shown(shown.topic, shown.correlationId, shown.causationId, shown.tenant, value));
  }

  /**
   * Joins this transaction: published only after its commit; a rollback leaves nothing. Without it
   * the event joins the calling thread's transaction, where the mailroom knows it.
   */
  public EventOptions in(Transaction value) {
    return with(write.in(value));
  }

  WriteOptions write() {
    return write;
  }

  @Nullable String topic() {
    return shown.topic;
  }

  @Nullable String correlationId() {
    return shown.correlationId;
  }

  @Nullable String causationId() {
    return shown.causationId;
  }

  @Nullable String tenant() {
    return shown.tenant;
  }

  @Nullable TypeReference<?> type() {
    return shown.type;
  }
}

package dev.mailroom.processes;

import dev.mailroom.messages.Message;
import dev.mailroom.messages.Payload;
import java.time.Instant;
import java.util.Map;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A timeout as its store holds it. Safe for use by many threads. */
public class StoredTimeout {
  private final Message message;
  private final Function<Payload, Object> decoder;

  StoredTimeout(Message message, Function<Payload, Object> decoder) {
    this.message = message;
    this.decoder = decoder;
  }

  /** Its identity: the key to make side effects idempotent. */
  public final UUID id() {
    return message.id();
  }

  /** The name it was requested under, or null. */
  public final @Nullable String key() {
    return message.routing().deduplicationKey();
  }

  /** Where it goes. */
  public final String destination() {
    return message.envelope().headers().getOrDefault(HeaderText.DESTINATION, "");
  }

  /** Its due time by the store's clock; after a failure, that of the next attempt. */
  public final Instant dueAt() {
    return message.timing().visibleAt();
  }

  /**
   * The headers it was requested with, as they were typed: {@link String}, {@link Long}, {@link
   * Double}, {@link Boolean} or {@link Instant}.
   */
  public final Map<String, Object> headers() {
    return HeaderText.read(message.envelope().headers());
  }

  /** The conversation it is part of, or null. */
  public final @Nullable String correlationId() {
    return message.envelope().trace().correlationId();
  }

  /** The message or request that caused it, or null. */
  public final @Nullable String causationId() {
    return message.envelope().trace().causationId();
  }

  /** Whether it brings something along. */
  public final boolean hasPayload() {
    return !message.contract().equals(TimeoutWriting.NOTHING.contract());
  }

  /**
   * What it brings along, decoded; null if that is nothing.
   *
   * @throws dev.mailroom.errors.UnknownContractException if nobody registered its contract
   * @throws dev.mailroom.errors.MailroomException if its bytes are not what its contract says
   */
  public final @Nullable Object payload() {
    return hasPayload() ? decode(message.envelope().payload()) : null;
  }

  /**
   * What it brings along, decoded, as this type.
   *
   * @throws IllegalStateException if it brings nothing along
   * @throws ClassCastException if it is of another type
   */
  public final <T> T payload(Class<T> type) {
    Object found = payload();
    if (found == null) {
      throw new IllegalStateException("The timeout " + id() + " has no payload.");
    }
    return type.cast(found);
  }

  Object decode(Payload payload) {
    return decoder.apply(payload);
  }

  /** The message that stands for it: its counts, its last error, its tracing. */
  public final Message message() {
    return message;
  }

  @Override
  public final String toString() {
    return getClass().getSimpleName() + "[" + id() + ", " + destination() + ", " + dueAt() + "]";
  }
}

package dev.mailroom.processes;

import dev.mailroom.messages.Message;
import dev.mailroom.messages.Payload;
import java.time.Instant;
import java.util.Map;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A timeout as its store holds it. Thread-safe. */
public class StoredTimeout {
  private final Message message;
  private final Function<Payload, Object> decoder;

  StoredTimeout(Message message, Function<Payload, Object> decoder) {
    this.message = message;
    this.decoder = decoder;
  }

  /** Its id, by which side effects can be made idempotent. */
  public final UUID id() {
    return message.id();
  }

  /** The name it was requested under, or null. */
  public final @Nullable String key() {
    return message.routing().deduplicationKey();
  }

  /** The name of its destination. */
  public final String destination() {
    return message.envelope().headers().getOrDefault(TypedHeaders.DESTINATION, "");
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
    return TypedHeaders.read(message.envelope().headers());
  }

  /** The conversation it is part of, or null. */
  public final @Nullable String correlationId() {
    return message.envelope().trace().correlationId();
  }

  /** The message or request that caused it, or null. */
  public final @Nullable String causationId() {
    return message.envelope().trace().causationId();
  }

  /** Whether it has a payload. */
  public final boolean hasPayload() {
    return !message.contract().equals(TimeoutMessages.NO_PAYLOAD.contract());
  }

  /**
   * The decoded payload; null if it has none.
   *
   * @throws dev.mailroom.errors.UnknownContractException if its contract is not registered
   * @throws dev.mailroom.errors.MailroomException if its bytes are not what its contract says
   */
  public final @Nullable Object payload() {
    return hasPayload() ? decode(message.envelope().payload()) : null;
  }

  /**
   * The decoded payload as this type.
   *
   * @throws IllegalStateException if it has no payload
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

  /** Its message: attempts, last error, tracing. */
  public final Message message() {
    return message;
  }

  @Override
  public final String toString() {
    return getClass().getSimpleName() + "[" + id() + ", " + destination() + ", " + dueAt() + "]";
  }
}

package dev.mailroom.outbox.spi;

import dev.mailroom.messages.Contract;
import dev.mailroom.messages.Message;
import dev.mailroom.messages.Payload;
import dev.mailroom.messages.Trace;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** An event as the outbox holds it, in a dispatcher's hands. Thread-safe. */
public final class OutboxMessage {
  /** Headers whose names begin like this are the outbox's own; events cannot have them. */
  public static final String RESERVED = "mailroom-";

  /** The header in which the outbox stores the topic. */
  public static final String TOPIC_HEADER = RESERVED + "topic";

  private final Message message;
  private final Function<Payload, Object> decoder;

  /**
   * A stored message of an outbox.
   *
   * @param message as the store holds it
   * @param decoder turns its payload into the event for {@link #event}
   */
  public OutboxMessage(Message message, Function<Payload, Object> decoder) {
    this.message = message;
    this.decoder = decoder;
  }

  /** Its identity, the same at every attempt: what receivers can tell repeats by. */
  public UUID id() {
    return message.id();
  }

  /** Where it is to be published, or null if only its contract says. */
  public @Nullable String topic() {
    return message.envelope().headers().get(TOPIC_HEADER);
  }

  /** Events with one key are published in order; null if it has none. */
  public @Nullable String key() {
    return message.routing().groupKey();
  }

  /** The headers that it was added with. */
  public Map<String, String> headers() {
    Map<String, String> stored = message.envelope().headers();
    if (!stored.containsKey(TOPIC_HEADER)) {
      return stored;
    }
    Map<String, String> own = new HashMap<>(stored);
    own.remove(TOPIC_HEADER);
    return Map.copyOf(own);
  }

  /** What the payload is: the contract's name and version. */
  public Contract contract() {
    return message.contract();
  }

  /** How the payload is encoded, as a media type. */
  public String contentType() {
    return message.envelope().payload().contentType();
  }

  /** The encoded event itself; not a copy, and not to be changed. */
  public byte[] payload() {
    return message.envelope().payload().bytes();
  }

  /**
   * The decoded event, upgraded to the newest version; decoded again at every call.
   *
   * @throws dev.mailroom.errors.UnknownContractException if its contract is not registered
   * @throws dev.mailroom.errors.MailroomException if its bytes are not what its contract says
   */
  public Object event() {
    return decoder.apply(message.envelope().payload());
  }

  /** When the store accepted it, by the store's clock. */
  public Instant createdAt() {
    return message.timing().createdAt();
  }

  /** Whose event it is, or null. */
  public @Nullable String tenant() {
    return message.routing().tenant();
  }

  /** What it belongs to: correlation, causation and W3C trace context. */
  public Trace trace() {
    return message.envelope().trace();
  }

  /** The conversation it is part of, or null. */
  public @Nullable String correlationId() {
    return trace().correlationId();
  }

  /** The message or request that caused it, or null. */
  public @Nullable String causationId() {
    return trace().causationId();
  }

  /** Which attempt this is, from 1. */
  public int attempt() {
    return message.progress().attempts();
  }

  /** Its id, contract, topic and key; never its payload. */
  @Override
  public String toString() {
    return "OutboxMessage["
        + id()
        + ", "
        + contract()
        + ", topic "
        + topic()
        + ", key "
        + key()
        + "]";
  }
}

package dev.mailroom.webhooks;

import dev.mailroom.messages.Message;
import dev.mailroom.messages.TypeReference;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** One event in a handler's hands. For the thread that runs the handler. */
public interface WebhookDelivery {

  /** The stored message's identity: the key to make side effects idempotent. */
  UUID messageId();

  /** The stored message: its headers, contract and counts, for handlers that forward it. */
  Message message();

  /** The name of the source that it came from. */
  String source();

  /** The name of the source's provider. */
  String provider();

  /** What happened, in the provider's words; null if it does not say. */
  @Nullable String type();

  /** The provider's id of the event; null if it has none. */
  @Nullable String eventId();

  /** The tenant, or null. */
  @Nullable String tenant();

  /** When it was received, by the receiver's clock. */
  Instant receivedAt();

  /** When it happened, as the provider says; null if it does not. */
  @Nullable Instant occurredAt();

  /** The label of the secret by which it was verified. */
  String secret();

  /** The media type of the body, as it was sent. */
  String contentType();

  /** The bytes as they were received and signed; not a copy, and not to be changed. */
  byte[] body();

  /** The bytes as UTF-8 text. */
  default String text() {
    return new String(body(), StandardCharsets.UTF_8);
  }

  /**
   * The body as an object, decoded by the mailroom's codec for its content type, at every call.
   *
   * @throws dev.mailroom.errors.MailroomException if no codec reads its content type, or the body
   *     is not of this type
   */
  <T> T payload(Class<T> type);

  /** The body as an object of a generic type; see {@link #payload(Class)}. */
  <T> T payload(TypeReference<T> type);

  /** Which attempt of this handler this is, from 1. */
  int attempt();

  /**
   * Whether the lease is known to be lost: another worker may be handling the event already, and
   * what this handler answers will be refused. A long handler looks here now and then.
   */
  boolean isLeaseLost();
}

package dev.mailroom.webhooks;

import dev.mailroom.Delivery;
import dev.mailroom.Mailroom;
import dev.mailroom.messages.Message;
import dev.mailroom.messages.Payload;
import dev.mailroom.messages.TypeReference;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * An event on its way through the chain.
 *
 * @param event what is stored
 * @param delivery the lease it is handled under
 * @param mailroom decodes it
 * @param attempt which attempt of the handler this is
 */
record HandedEvent(StoredEvent event, Delivery<Payload> delivery, Mailroom mailroom, int attempt)
    implements WebhookDelivery {

  @Override
  public UUID messageId() {
    return delivery.id();
  }

  @Override
  public Message message() {
    return event.message();
  }

  @Override
  public String source() {
    return orEmpty(StoredEvent.SOURCE);
  }

  @Override
  public String provider() {
    return orEmpty(StoredEvent.PROVIDER);
  }

  @Override
  public @Nullable String type() {
    return event.header(StoredEvent.TYPE);
  }

  @Override
  public @Nullable String eventId() {
    return event.header(StoredEvent.EVENT_ID);
  }

  @Override
  public @Nullable String tenant() {
    return event.tenant();
  }

  @Override
  public Instant receivedAt() {
    return event.message().timing().receivedAt();
  }

  @Override
  public @Nullable Instant occurredAt() {
    return event.occurredAt();
  }

  @Override
  public String secret() {
    return orEmpty(StoredEvent.SECRET);
  }

  @Override
  public String contentType() {
    return event.payload().contentType();
  }

  @Override
  public byte[] body() {
    return event.payload().bytes();
  }

  @Override
  public <T> T payload(Class<T> type) {
    return type.cast(event.decode(mailroom, type));
  }

  @Override
  @SuppressWarnings("unchecked") // the codec decodes what the reference says
  public <T> T payload(TypeReference<T> type) {
    return (T) event.decode(mailroom, type.type());
  }

  @Override
  public boolean isLeaseLost() {
    return delivery.isLeaseLost();
  }

  /** Only what somebody wrote past the receiver lacks any of these. */
  private String orEmpty(String header) {
    String value = event.header(header);
    return value == null ? "" : value;
  }

  /** Which event it is; never its body. */
  @Override
  public String toString() {
    return "WebhookDelivery["
        + messageId()
        + ", "
        + source()
        + ", type "
        + type()
        + ", attempt "
        + attempt
        + "]";
  }
}

package dev.mailroom.webhooks;

import dev.mailroom.Delivery;
import dev.mailroom.messages.Message;
import dev.mailroom.messages.Payload;
import dev.mailroom.messages.TypeReference;
import dev.mailroom.spi.FacadeContext;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A stored event as a handler sees it.
 *
 * @param event the stored event
 * @param delivery its delivery, with the lease
 * @param context decodes the payload
 * @param attempt the handler's attempt, from 1
 */
record StoredEventDelivery(
    StoredEvent event, Delivery<Payload> delivery, FacadeContext context, int attempt)
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
    return type.cast(event.decode(context, type));
  }

  @Override
  @SuppressWarnings("unchecked") // the codec decodes what the reference says
  public <T> T payload(TypeReference<T> type) {
    return (T) event.decode(context, type.type());
  }

  @Override
  public boolean isLeaseLost() {
    return delivery.isLeaseLost();
  }

  /** Messages that did not come through {@link Webhooks#receive} may lack these headers. */
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

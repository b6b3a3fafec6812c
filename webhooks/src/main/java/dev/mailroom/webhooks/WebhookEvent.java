package dev.mailroom.webhooks;

import java.time.Instant;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One event of a verified request. Most requests carry one, some carry many.
 *
 * <p>Immutable by convention: the payload is shared, not copied; do not change it.
 */
public final class WebhookEvent {
  private final @Nullable String type;
  private final @Nullable String id;
  private final @Nullable String entity;
  private final @Nullable String tenant;
  private final @Nullable Instant occurredAt;
  private final byte[] payload;
  private final String contentType;

  /**
   * An event.
   *
   * @param type what happened, in the provider's words; null if the request does not say
   * @param id what is the same whenever this event is sent again; null if there is no such thing,
   *     and then the payload's hash has to do
   * @param entity what the event is about: events of one entity are handled in order; null if it
   *     names none
   * @param tenant the tenant; null if the request names none
   * @param occurredAt when it happened, as the provider says
   * @param payload the body as received, or of a body with many events the bytes of this one;
   *     handed over, not copied
   * @param contentType the media type of the payload
   */
  public WebhookEvent(
      @Nullable String type,
      @Nullable String id,
      @Nullable String entity,
      @Nullable String tenant,
      @Nullable Instant occurredAt,
      byte[] payload,
      String contentType) {
    this.type = type;
    this.id = id;
    this.entity = entity;
    this.tenant = tenant;
    this.occurredAt = occurredAt;
    this.payload = Objects.requireNonNull(payload, "payload");
    this.contentType = Objects.requireNonNull(contentType, "contentType");
  }

  /** What happened, in the provider's words; null if the request does not say. */
  public @Nullable String type() {
    return type;
  }

  /** The sender's id of the event, the same in every redelivery; null if there is none. */
  public @Nullable String id() {
    return id;
  }

  /** What the event is about; null if it names nothing. */
  public @Nullable String entity() {
    return entity;
  }

  /** The tenant; null if the request names none. */
  public @Nullable String tenant() {
    return tenant;
  }

  /** When it happened, as the provider says; null if it does not. */
  public @Nullable Instant occurredAt() {
    return occurredAt;
  }

  /** The bytes themselves; not a copy, and not to be changed. */
  public byte[] payload() {
    return payload;
  }

  /** The media type of the payload. */
  public String contentType() {
    return contentType;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof WebhookEvent that
        && Objects.equals(type, that.type)
        && Objects.equals(id, that.id)
        && Objects.equals(entity, that.entity)
        && Objects.equals(tenant, that.tenant)
        && Objects.equals(occurredAt, that.occurredAt)
        && contentType.equals(that.contentType)
        && Arrays.equals(payload, that.payload);
  }

  @Override
  public int hashCode() {
    return Objects.hash(type, id, entity, tenant) * 31 + Arrays.hashCode(payload);
  }

  @Override
  public String toString() {
    return "WebhookEvent[type=%s, id=%s, entity=%s, tenant=%s, %d bytes]"
        .formatted(type, id, entity, tenant, payload.length);
  }
}

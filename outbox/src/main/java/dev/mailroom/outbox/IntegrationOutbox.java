package dev.mailroom.outbox;

import java.util.function.Consumer;

/**
 * An {@link Outbox} that takes only events marked as {@link IntegrationEvent}; anything else does
 * not compile. From {@link Outbox#integration}. Thread-safe.
 */
public final class IntegrationOutbox {
  private final Outbox outbox;

  IntegrationOutbox(Outbox outbox) {
    this.outbox = outbox;
  }

  /** Records an event; see {@link Outbox#add(Object)}. */
  public OutboxReceipt add(IntegrationEvent event) {
    return outbox.add(event);
  }

  /** Records an event; see {@link Outbox#add(Object, EventOptions)}. */
  public OutboxReceipt add(IntegrationEvent event, EventOptions options) {
    return outbox.add(event, options);
  }

  /** Records an event with options set by a lambda. */
  public OutboxReceipt add(IntegrationEvent event, Consumer<EventOptions.Builder> options) {
    return outbox.add(event, options);
  }
}

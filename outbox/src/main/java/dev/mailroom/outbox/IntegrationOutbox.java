package dev.mailroom.outbox;

/**
 * An {@link Outbox} that takes only events marked as {@link IntegrationEvent}; anything else does
 * not compile. From {@link Outbox#integration}. Safe for use by many threads.
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
}

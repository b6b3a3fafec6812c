package dev.mailroom.outbox;

import dev.mailroom.outbox.spi.OutboxMessage;

/**
 * Handles events of one type in this process together with their stored message: succeeds when it
 * returns, fails when it throws.
 *
 * @param <T> the event's type
 */
@FunctionalInterface
public interface EventMessageConsumer<T> {

  /**
   * Handles one event.
   *
   * @param message the stored message: its id is the key to make side effects idempotent
   * @throws Exception if it failed; the event is retried with the outbox's back-off
   */
  void handle(T event, OutboxMessage message) throws Exception;
}

package dev.mailroom.outbox;

/**
 * Handles events of one type in this process: succeeds when it returns, fails when it throws.
 *
 * @param <T> the event's type
 */
@FunctionalInterface
public interface EventConsumer<T> {

  /**
   * Handles one event.
   *
   * @throws Exception if it failed; the event is retried with the outbox's back-off
   */
  void handle(T event) throws Exception;
}

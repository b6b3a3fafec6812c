package dev.mailroom;

/**
 * Handles payloads one by one and needs nothing else of the message. At least once: a message can
 * be redelivered after a crash, so side effects are idempotent. A handler that needs the message's
 * id, its transaction or another result than success is a {@link Handler}.
 *
 * @param <T> the payload's type
 */
@FunctionalInterface
public interface PayloadHandler<T> {

  /**
   * Handles one payload: the message is done when this returns. Several threads may call it at once
   * for different messages.
   *
   * @throws Exception any exception counts as a failure: retried after the back-off, dead-lettered
   *     when the attempts run out, or at once if the retry policy calls the error permanent
   */
  void handle(T payload) throws Exception;
}

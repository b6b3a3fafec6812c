package dev.mailroom;

/**
 * Handles messages one by one. At least once: a message can be redelivered after a crash, so side
 * effects are made idempotent by {@link Delivery#id}, or written in {@link Delivery#transaction},
 * which also completes the message.
 *
 * @param <T> the payload's type
 */
@FunctionalInterface
public interface Handler<T> {

  /**
   * Handles one message. May be called by several threads at once for different messages.
   *
   * @throws Exception any exception counts as a failure: retried after the back-off, dead-lettered
   *     when the attempts run out, or at once if the retry policy calls the error permanent
   */
  Result handle(Delivery<T> delivery) throws Exception;
}

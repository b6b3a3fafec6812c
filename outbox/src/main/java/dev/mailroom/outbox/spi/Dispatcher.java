package dev.mailroom.outbox.spi;

import dev.mailroom.Result;

/**
 * Publishes the events of an outbox, one by one. Called concurrently, but never at the same time
 * for two events with one key: an implementation is thread-safe.
 *
 * <p>An event is published at least once: after a crash it is redelivered under the same id. The
 * application that makes a dispatcher closes it after the mailroom was stopped.
 */
@FunctionalInterface
public interface Dispatcher {

  /**
   * Publishes one event and answers what became of it:
   *
   * <ul>
   *   <li>{@link Result#success}: it is published, and its receiver has acknowledged that.
   *   <li>{@link Result#fail(String)} or {@link Result#fail(Throwable)}: retried with the outbox's
   *       back-off; dead-lettered when the attempts run out.
   *   <li>{@link Result#retryLater(java.time.Duration)}: retried after that time, which counts as a
   *       deferral.
   *   <li>{@link Result#deadLetter}: it can never be published; dead-lettered at once.
   *   <li>{@link dev.mailroom.spi.HandlerOutcome.Parked}: this version of the application does not
   *       know where to; a newer one may.
   * </ul>
   *
   * Until an event with a key is published or dead, the next ones with that key wait.
   *
   * @throws Exception the same as to answer {@link Result#fail(Throwable)}
   */
  Result dispatch(OutboxMessage message) throws Exception;
}

package dev.mailroom.outbox.spi;

import dev.mailroom.Result;

/**
 * Publishes the events of an outbox, one by one. Called by many threads at once, but never at the
 * same time for two events with one key.
 *
 * <p>An event is published at least once: after a crash it comes again, under the same id. Whoever
 * makes a dispatcher closes what it holds, after the mailroom was stopped.
 */
@FunctionalInterface
public interface Dispatcher {

  /**
   * Publishes one event and answers what became of it:
   *
   * <ul>
   *   <li>{@link Result#success}: it is published, and its receiver has acknowledged that.
   *   <li>{@link Result#failed(String)} or {@link Result#failed(Throwable)}: tried again after the
   *       outbox's back-off; dead when the attempts run out.
   *   <li>{@link Result#retry}: tried again after that time, which counts as a deferral.
   *   <li>{@link Result#deadLetter}: it can never be published; dead at once.
   *   <li>{@link Result#park}: this version of the application does not know where to; a newer one
   *       may.
   * </ul>
   *
   * Until an event with a key is published or dead, the next ones with that key wait.
   *
   * @throws Exception the same as to answer {@link Result#failed(Throwable)}
   */
  Result dispatch(OutboxMessage message) throws Exception;
}

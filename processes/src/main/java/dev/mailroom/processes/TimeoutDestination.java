package dev.mailroom.processes;

import dev.mailroom.Result;

/**
 * Where timeouts go when they are due. A destination may get one more than once, after a crash or a
 * lost lease: make side effects idempotent by its id, or part of its {@linkplain
 * FiredTimeout#transaction transaction}.
 *
 * <p>Implementations are thread-safe.
 */
@FunctionalInterface
public interface TimeoutDestination {

  /**
   * Handles a timeout that is due.
   *
   * @return as a handler of an inbox: failures are retried and dead-lettered as those of any
   *     message
   * @throws Exception the same as a failed result
   */
  Result fire(FiredTimeout timeout) throws Exception;
}

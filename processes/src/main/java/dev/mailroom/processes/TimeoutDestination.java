package dev.mailroom.processes;

import dev.mailroom.Mailroom;
import dev.mailroom.Result;

/**
 * Where timeouts go when they are due. It may get one more than once, after a crash or a lost
 * lease: side effects are to be idempotent by its id, or part of its {@linkplain
 * FiredTimeout#transaction transaction}.
 *
 * <p>Safe for use by many threads.
 */
@FunctionalInterface
public interface TimeoutDestination {

  /**
   * Takes a timeout whose time has come.
   *
   * @return success, or what is to become of it: failures are tried again as those of any message
   * @throws Exception as a failure
   */
  Result fire(FiredTimeout timeout) throws Exception;

  /** Whether it can do nothing with a timeout that has no payload; such requests are refused. */
  default boolean needsPayload() {
    return false;
  }

  /**
   * Hears of the finished mailroom before anything is fired.
   *
   * @throws IllegalArgumentException if it lacks what this destination needs
   */
  default void opened(Mailroom mailroom) {}
}

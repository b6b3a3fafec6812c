package dev.mailroom.processes;

import dev.mailroom.Result;

/**
 * Handles the messages that were collected under one key.
 *
 * @param <T> the messages' type
 */
@FunctionalInterface
public interface AggregateHandler<T> {

  /**
   * Handles a batch, at least once, one batch of a key after another; returns as a handler of an
   * inbox does.
   *
   * @throws Exception the same as a failed result
   */
  Result handle(Aggregate<T> aggregate) throws Exception;
}

package dev.mailroom;

/**
 * Handles messages of one contract in batches; in an ordered inbox a batch holds messages of one
 * group, in order.
 *
 * @param <T> the payload's type
 */
@FunctionalInterface
public interface BatchHandler<T> {

  /**
   * Handles a batch and answers per message, through {@link Batch#results} or {@link
   * Batch#allSucceeded}. A message left out of the answer has failed; in an ordered batch
   * everything behind a failure waits.
   *
   * @throws Exception any exception fails the whole batch
   */
  BatchResult handle(Batch<T> batch) throws Exception;
}

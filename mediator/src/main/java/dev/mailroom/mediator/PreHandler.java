package dev.mailroom.mediator;

/**
 * Runs before the handler. May {@linkplain ExecutionContext#abort abort}, and then nothing else
 * runs.
 *
 * @param <M> the messages it sees: this type and its subtypes
 */
@FunctionalInterface
public interface PreHandler<M> {

  /**
   * Runs before the handler. May be called by several threads at once.
   *
   * @throws Exception keeps the handler from running and goes to the error handlers
   */
  void before(M message, ExecutionContext context) throws Exception;
}

package dev.mailroom.mediator;

/**
 * Sees what went wrong in validators, pre-handlers, handlers and post-handlers. It must say that it
 * handled the error; one that only observes never turns a failure into a success.
 *
 * @param <M> the messages whose errors it sees: this type and its subtypes
 */
@FunctionalInterface
public interface ErrorHandler<M> {

  /**
   * Looks at an error. The first one to answer {@link ErrorOutcome#HANDLED} is the last one asked.
   * For a message with a result it gives that with {@link ExecutionContext#replaceResult} first,
   * unless there was one already. May be called by several threads at once.
   *
   * @param error what was thrown; never an {@link Error}, which handlers must not catch
   * @throws Exception is added to the original error as suppressed; the original goes on, as if
   *     this handler had not handled it
   */
  ErrorOutcome onError(M message, Exception error, ExecutionContext context) throws Exception;
}

package dev.mailroom.mediator;

import org.jspecify.annotations.Nullable;

/**
 * Runs after the handler has succeeded. May {@linkplain ExecutionContext#replaceResult replace the
 * result}.
 *
 * @param <M> the messages it sees: this type and its subtypes
 */
@FunctionalInterface
public interface PostHandler<M> {

  /**
   * Runs after the handler. May be called by several threads at once.
   *
   * @param result what the handler answered, or what a post-handler before this one put in its
   *     place; null where there is no result. Of a stream query it is the stream, not read yet
   * @throws Exception goes to the error handlers, and on to the caller unless one handled it
   */
  void after(M message, @Nullable Object result, ExecutionContext context) throws Exception;
}

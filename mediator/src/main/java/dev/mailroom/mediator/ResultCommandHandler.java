package dev.mailroom.mediator;

import org.jspecify.annotations.Nullable;

/**
 * Does what a command asks for, and answers with its result.
 *
 * @param <C> the commands it handles: this type and its subtypes
 * @param <R> the result's type
 */
@FunctionalInterface
public interface ResultCommandHandler<C extends ResultCommand<R>, R extends @Nullable Object> {

  /**
   * Does it. May be called by several threads at once.
   *
   * @throws Exception goes to the error handlers, and on to the caller unless one handled it
   */
  R handle(C command, ExecutionContext context) throws Exception;
}

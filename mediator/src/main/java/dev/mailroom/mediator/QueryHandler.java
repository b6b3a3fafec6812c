package dev.mailroom.mediator;

import org.jspecify.annotations.Nullable;

/**
 * Answers a query.
 *
 * @param <Q> the queries it handles: this type and its subtypes
 * @param <R> the result's type
 */
@FunctionalInterface
public interface QueryHandler<Q extends Query<R>, R extends @Nullable Object> {

  /**
   * Answers. May be called by several threads at once.
   *
   * @throws Exception goes to the error handlers, and on to the caller unless one handled it
   */
  R handle(Q query, ExecutionContext context) throws Exception;
}

package dev.mailroom.mediator;

import java.util.stream.Stream;

/**
 * Answers a query with a stream.
 *
 * @param <Q> the queries it handles: this type and its subtypes
 * @param <R> the type of the stream's elements
 */
@FunctionalInterface
public interface StreamQueryHandler<Q extends StreamQuery<R>, R> {

  /**
   * Answers with a stream, which is best lazy: its elements are made while the caller reads. May be
   * called by several threads at once.
   *
   * @throws Exception goes to the error handlers, and on to the caller unless one handled it; so
   *     does what the stream throws while it is read
   */
  Stream<R> handle(Q query, ExecutionContext context) throws Exception;
}

package dev.mailroom.mediator;

import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Brings commands, queries and events to their handlers, in this process and in the calling thread.
 * Safe for use by many threads.
 *
 * <p>A handler's exception reaches the caller as it was thrown, checked ones too, unless an error
 * handler has handled it.
 */
public interface Mediator {

  /** Describes a mediator. */
  static MediatorBuilder builder() {
    return new MediatorBuilder();
  }

  /**
   * Has a command done. A result, if it has one, is dropped.
   *
   * @throws HandlerNotFoundException if not exactly one handler is for it
   * @throws InvalidRequestException if validators reject it
   * @throws java.util.concurrent.CancellationException if the call was cancelled
   */
  default void send(Command command) {
    send(command, CallOptions.NONE);
  }

  /** Has a command done, with options. */
  void send(Command command, CallOptions options);

  /**
   * Has a command done and answers with its result.
   *
   * @throws HandlerNotFoundException if not exactly one handler is for it
   * @throws InvalidRequestException if validators reject it
   * @throws java.util.concurrent.CancellationException if the call was cancelled
   */
  default <R extends @Nullable Object> R send(ResultCommand<R> command) {
    return send(command, CallOptions.NONE);
  }

  /** Has a command done and answers with its result, with options. */
  <R extends @Nullable Object> R send(ResultCommand<R> command, CallOptions options);

  /**
   * Answers a query.
   *
   * @throws HandlerNotFoundException if not exactly one handler is for it
   * @throws InvalidRequestException if validators reject it
   * @throws java.util.concurrent.CancellationException if the call was cancelled
   */
  default <R extends @Nullable Object> R query(Query<R> query) {
    return query(query, CallOptions.NONE);
  }

  /** Answers a query, with options. */
  <R extends @Nullable Object> R query(Query<R> query, CallOptions options);

  /**
   * Answers a query with a stream. The caller closes it, best in a try-with-resources statement: it
   * may hold resources of its handler.
   *
   * @throws HandlerNotFoundException if not exactly one handler is for it
   * @throws InvalidRequestException if validators reject it
   * @throws java.util.concurrent.CancellationException if the call was cancelled; also while the
   *     stream is read
   */
  default <R> Stream<R> stream(StreamQuery<R> query) {
    return stream(query, CallOptions.NONE);
  }

  /** Answers a query with a stream, with options. */
  <R> Stream<R> stream(StreamQuery<R> query, CallOptions options);

  /**
   * Tells all handlers of an event, and returns when they are done. Without any, nothing happens.
   *
   * @param event any object but a command or a query
   * @throws EventHandlersFailedException if handlers failed and the mode collects errors
   * @throws InvalidRequestException if validators reject it
   * @throws java.util.concurrent.CancellationException if the call was cancelled
   */
  default void publish(Object event) {
    publish(event, CallOptions.NONE);
  }

  /** Tells all handlers of an event, with options. */
  void publish(Object event, CallOptions options);

  /**
   * Checks now what a call would find out later: that exactly one handler is for the type. Handlers
   * that wait for a tag count, since only the call tells which of them is meant.
   *
   * @param type a concrete type of commands or queries
   * @throws HandlerNotFoundException if not exactly one handler is for it
   */
  void requireHandler(Class<?> type);

  /** All handlers, in the order of their registration; for those who build on a mediator. */
  List<HandlerDescription> handlers();
}

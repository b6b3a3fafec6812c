package dev.mailroom.mediator;

import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Calls the handlers of commands, queries and events, in this process and on the calling thread.
 * Thread-safe.
 *
 * <p>A handler's exception reaches the caller as it was thrown, checked ones too, unless an error
 * handler has handled it. Every method takes options in two forms: a lambda over the builder,
 * {@code mediator.send(command, options -> options.tags("eu"))}, or a {@link CallOptions} for
 * reuse.
 */
public interface Mediator {

  /** Describes a mediator. */
  static MediatorBuilder builder() {
    return new MediatorBuilder();
  }

  /**
   * Runs a command. A result, if it has one, is dropped.
   *
   * @throws HandlerNotFoundException if not exactly one handler matches
   * @throws InvalidRequestException if validators reject it
   * @throws java.util.concurrent.CancellationException if the call was cancelled
   */
  default void send(Command command) {
    send(command, CallOptions.defaults());
  }

  /** Runs a command, with options. */
  void send(Command command, CallOptions options);

  /** Runs a command, with options from a lambda. */
  default void send(Command command, Consumer<CallOptions.Builder> options) {
    send(command, CallOptions.of(options));
  }

  /**
   * Runs a command and returns its result.
   *
   * @throws HandlerNotFoundException if not exactly one handler matches
   * @throws InvalidRequestException if validators reject it
   * @throws java.util.concurrent.CancellationException if the call was cancelled
   */
  default <R extends @Nullable Object> R send(ResultCommand<R> command) {
    return send(command, CallOptions.defaults());
  }

  /** Runs a command and returns its result, with options. */
  <R extends @Nullable Object> R send(ResultCommand<R> command, CallOptions options);

  /** Runs a command and returns its result, with options from a lambda. */
  default <R extends @Nullable Object> R send(
      ResultCommand<R> command, Consumer<CallOptions.Builder> options) {
    return send(command, CallOptions.of(options));
  }

  /**
   * Runs a query and returns its result.
   *
   * @throws HandlerNotFoundException if not exactly one handler matches
   * @throws InvalidRequestException if validators reject it
   * @throws java.util.concurrent.CancellationException if the call was cancelled
   */
  default <R extends @Nullable Object> R query(Query<R> query) {
    return query(query, CallOptions.defaults());
  }

  /** Runs a query, with options. */
  <R extends @Nullable Object> R query(Query<R> query, CallOptions options);

  /** Runs a query, with options from a lambda. */
  default <R extends @Nullable Object> R query(
      Query<R> query, Consumer<CallOptions.Builder> options) {
    return query(query, CallOptions.of(options));
  }

  /**
   * Runs a query that returns a stream. The caller closes it, best in a try-with-resources
   * statement: it may hold resources of its handler.
   *
   * @throws HandlerNotFoundException if not exactly one handler matches
   * @throws InvalidRequestException if validators reject it
   * @throws java.util.concurrent.CancellationException if the call was cancelled; also while the
   *     stream is read
   */
  default <R> Stream<R> stream(StreamQuery<R> query) {
    return stream(query, CallOptions.defaults());
  }

  /** Runs a query that returns a stream, with options. */
  <R> Stream<R> stream(StreamQuery<R> query, CallOptions options);

  /** Runs a query that returns a stream, with options from a lambda. */
  default <R> Stream<R> stream(StreamQuery<R> query, Consumer<CallOptions.Builder> options) {
    return stream(query, CallOptions.of(options));
  }

  /**
   * Calls all handlers of an event, and returns when they are done. No handler: no-op.
   *
   * @param event any object but a command or a query
   * @throws EventHandlersFailedException if handlers failed and the mode collects errors
   * @throws InvalidRequestException if validators reject it
   * @throws java.util.concurrent.CancellationException if the call was cancelled
   */
  default void publish(Object event) {
    publish(event, CallOptions.defaults());
  }

  /** Calls all handlers of an event, with options. */
  void publish(Object event, CallOptions options);

  /** Calls all handlers of an event, with options from a lambda. */
  default void publish(Object event, Consumer<CallOptions.Builder> options) {
    publish(event, CallOptions.of(options));
  }

  /**
   * Checks now what a call would check later: that exactly one handler matches the type. Handlers
   * with tags count, because only the call says which of them it selects.
   *
   * @param type a concrete type of commands or queries
   * @throws HandlerNotFoundException if not exactly one handler matches
   */
  void requireHandler(Class<?> type);

  /** All handlers, in the order of their registration; for extensions. */
  List<HandlerDescription> handlers();
}

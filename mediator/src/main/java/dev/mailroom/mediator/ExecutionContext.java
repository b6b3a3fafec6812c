package dev.mailroom.mediator;

import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One call of the mediator, as all handlers of its pipeline see it. Made for each call, and not to
 * be kept after it. Thread-safe, because event handlers may run in parallel.
 */
public interface ExecutionContext {

  /** The item under that key, put by a handler before or by the caller; null if there is none. */
  <T> @Nullable T get(ContextKey<T> key);

  /** Puts an item for the handlers after this one. */
  <T> void put(ContextKey<T> key, T value);

  /** The tags of the call. */
  Set<String> tags();

  /**
   * Ends the call when the handler that is running returns: no other handler runs, and the caller
   * gets a normal return. Only for messages without a result.
   *
   * @throws IllegalStateException if the message has a result, which must then be given
   */
  void abort();

  /**
   * Ends the call with this result when the handler that is running returns: no other handler runs.
   *
   * @throws IllegalStateException if the message has no result
   * @throws ClassCastException if it is not of the result's type, as far as that is known
   */
  void abort(@Nullable Object result);

  /** Whether a handler has ended the call. */
  boolean isAborted();

  /**
   * Puts another result in the place of the handler's, in a post-handler or an error handler.
   *
   * @throws IllegalStateException if the message has no result, or the handler has not run and has
   *     not failed yet: to answer in its place, abort with a result
   * @throws ClassCastException if it is not of the result's type, as far as that is known
   */
  void replaceResult(@Nullable Object result);

  /** Whether the caller cancelled the call; the rest of the pipeline will not run. */
  boolean isCancelled();

  /** The stored message behind this call, or null if it is an ordinary call. */
  @Nullable DurableExecution durable();

  /**
   * The mediator, for calls from within a handler. They are cancelled together with this one, and
   * endless recursion between handlers is reported as an error.
   */
  Mediator mediator();
}

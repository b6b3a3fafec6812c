package dev.mailroom.mediator;

/**
 * Tells a call that its caller has cancelled it; for example {@code AtomicBoolean::get}.
 *
 * <p>The mediator asks before each handler; a handler that takes long asks {@link
 * ExecutionContext#isCancelled} periodically. Thread-safe.
 */
@FunctionalInterface
public interface Cancellation {
  /** Never cancelled. */
  Cancellation NEVER = () -> false;

  /** Whether the call was cancelled; once it is, it stays so. */
  boolean isCancelled();
}

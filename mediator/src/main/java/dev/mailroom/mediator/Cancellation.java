package dev.mailroom.mediator;

/**
 * Tells a call that nobody waits for it any more. An {@code AtomicBoolean::get} is one.
 *
 * <p>The mediator asks before each handler; a handler that takes long asks {@link
 * ExecutionContext#isCancelled} now and then. Safe for use by many threads.
 */
@FunctionalInterface
public interface Cancellation {
  /** Never cancelled. */
  Cancellation NEVER = () -> false;

  /** Whether the call was cancelled; once it is, it stays so. */
  boolean isCancelled();
}

package dev.mailroom.mediator;

/**
 * How the handlers of an event run.
 *
 * @param parallel whether handlers of equal priority run at the same time; handlers of the next
 *     priority wait for them
 * @param allErrors whether every handler runs whatever the others do, and all errors are reported
 *     together as {@link EventHandlersFailedException}; otherwise no handler starts after one has
 *     failed, and the publisher gets that error
 */
public record EventMode(boolean parallel, boolean allErrors) {
  /** One after another; the first error ends it. */
  public static final EventMode SEQUENTIAL = new EventMode(false, false);

  /** Handlers of equal priority run at the same time; after the first error no other starts. */
  public static final EventMode PARALLEL = new EventMode(true, false);

  /** The same, but every handler runs and all errors are reported together. */
  public EventMode withAllErrors() {
    return new EventMode(parallel, true);
  }
}

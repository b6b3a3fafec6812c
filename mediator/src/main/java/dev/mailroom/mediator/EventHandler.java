package dev.mailroom.mediator;

/**
 * Reacts to an event. Any number of them may.
 *
 * @param <E> the events it handles: this type and its subtypes
 */
@FunctionalInterface
public interface EventHandler<E> {

  /**
   * Reacts. May be called by several threads at once.
   *
   * @throws Exception goes to the error handlers; if none handled it, {@link EventMode} says what
   *     becomes of the other handlers and what the publisher gets
   */
  void handle(E event, ExecutionContext context) throws Exception;
}

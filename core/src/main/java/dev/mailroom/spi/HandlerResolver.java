package dev.mailroom.spi;

/**
 * Supplies handlers and hooks that are registered by class, so that a dependency injection
 * container can make them. Thread-safe.
 */
public interface HandlerResolver {

  /**
   * Checks that it can supply instances of this class; a mailroom asks when it is built, for every
   * handler that is registered by class. The default accepts every class.
   *
   * @throws RuntimeException if it cannot, with what to do about it
   */
  default void check(Class<?> type) {}

  /** Opens a scope for one message (or one batch); it is closed when the handler has returned. */
  Scope open();

  /** The instances of one scope. Used by one thread at a time. */
  interface Scope extends AutoCloseable {

    /** The instance of that class in this scope. */
    <T> T resolve(Class<T> type);

    @Override
    void close();
  }
}

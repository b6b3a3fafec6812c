package dev.mailroom.spi;

/**
 * Supplies handlers and hooks that are registered by class, so that a dependency injection
 * container can make them. Safe for use by many threads.
 */
public interface HandlerResolver {

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

package dev.mailroom.errors;

import org.jspecify.annotations.Nullable;

/**
 * A store failed in a way that passes: connection lost, deadlock, serialization failure, fail-over.
 * Whether the call took effect may be unknown; verbs that carry ids are safe to repeat.
 */
public final class TransientStoreException extends StoreException {
  private static final long serialVersionUID = 1L;

  /** With a message. */
  public TransientStoreException(String message) {
    super(message);
  }

  /** With a message and what caused it. */
  public TransientStoreException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}

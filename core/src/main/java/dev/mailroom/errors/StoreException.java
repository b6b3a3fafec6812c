package dev.mailroom.errors;

import org.jspecify.annotations.Nullable;

/** A store failed, and repeating the call will not help. */
public class StoreException extends MailroomException {
  private static final long serialVersionUID = 1L;

  /** With a message that says what was wrong, where, and what to do. */
  public StoreException(String message) {
    super(message);
  }

  /** With a message and what caused it. */
  public StoreException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}

package dev.mailroom.errors;

import org.jspecify.annotations.Nullable;

/** What every exception of Mailroom's own is. */
public class MailroomException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** With a message that says what was wrong, where, and what to do. */
  public MailroomException(String message) {
    super(message);
  }

  /** With a message and what caused it. */
  public MailroomException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}

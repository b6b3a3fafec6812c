package dev.mailroom.errors;

/** A message that cannot be written; nothing was stored. */
public final class InvalidMessageException extends MailroomException {
  private static final long serialVersionUID = 1L;

  /** Says which value is wrong and why. */
  public InvalidMessageException(String message) {
    super(message);
  }

  /** Says which value is wrong and why, and what caused it. */
  public InvalidMessageException(String message, Throwable cause) {
    super(message, cause);
  }
}

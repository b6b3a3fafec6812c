package dev.mailroom.messages;

import java.util.Objects;

/**
 * Why a message failed last: bounded text, never the payload.
 *
 * @param type the exception's class, or a reason code such as {@code failed} or {@code expired}
 * @param message what it said
 * @param detail the first lines of the stack trace, or empty
 */
public record LastError(String type, String message, String detail) {

  /** Cuts each text so that all of it stays within {@link Limits#ERROR_LENGTH}. */
  public LastError {
    Objects.requireNonNull(type, "type");
    Objects.requireNonNull(message, "message");
    Objects.requireNonNull(detail, "detail");
    type = kept(type, Limits.KEY_LENGTH);
    message = kept(message, Limits.ERROR_LENGTH / 4);
    detail = kept(detail, Limits.ERROR_LENGTH - type.length() - message.length());
  }

  /** Not every store can keep the character NUL, and an error must never fail to be kept. */
  private static String kept(String text, int maximum) {
    return Limits.cut(text.replace('\0', '\uFFFD'), maximum);
  }

  /** A reason without an exception behind it. */
  public static LastError of(String type, String message) {
    return new LastError(type, message, "");
  }

  /** The exception's class, message and first stack frames, and those of its causes. */
  public static LastError of(Throwable error) {
    try {
      return described(error);
    } catch (RuntimeException | StackOverflowError messageFailure) {
      // Its own methods are anyone's code; that they fail must not hide that it was thrown.
      return of(error.getClass().getName(), "It could not be described.");
    }
  }

  private static LastError described(Throwable error) {
    StringBuilder detail = new StringBuilder();
    Throwable cause = error;
    for (int depth = 0; cause != null && depth < 5; depth++, cause = cause.getCause()) {
      if (depth > 0) {
        detail.append("caused by ").append(cause).append('\n');
      }
      StackTraceElement[] frames = cause.getStackTrace();
      for (int i = 0; i < Math.min(frames.length, depth == 0 ? 12 : 4); i++) {
        detail.append("  at ").append(frames[i]).append('\n');
      }
    }
    String message = error.getMessage();
    return new LastError(
        error.getClass().getName(), message == null ? "" : message, detail.toString());
  }

  @Override
  public String toString() {
    return message.isEmpty() ? type : type + ": " + message;
  }
}

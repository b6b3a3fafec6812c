package dev.mailroom.http;

import org.jspecify.annotations.Nullable;

/**
 * What a receiver answered.
 *
 * @param status the status code
 * @param retryAfter the header of that name, or null
 * @param text the beginning of the body, for people
 */
record EndpointReply(int status, @Nullable String retryAfter, String text) {

  boolean isSuccess() {
    return status >= 200 && status < 300;
  }

  boolean isRedirect() {
    return status >= 300 && status < 400;
  }

  boolean isGone() {
    return status == 410;
  }

  /** Whether the receiver says that the request is wrong, and not that it comes at a bad time. */
  boolean isRejection() {
    return status >= 400 && status < 500 && status != 408 && status != 425 && status != 429;
  }

  @Override
  public String toString() {
    return text.isBlank() ? "answered " + status : "answered " + status + ": " + text;
  }
}

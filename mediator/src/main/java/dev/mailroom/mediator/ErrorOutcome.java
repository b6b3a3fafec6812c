package dev.mailroom.mediator;

/** What an error handler says of an error. */
public enum ErrorOutcome {
  /** It is dealt with: the call goes on as if nothing had happened. */
  HANDLED,
  /** It was looked at only: the next error handler sees it, and in the end the caller. */
  UNHANDLED
}

package dev.mailroom.http;

/** What becomes of an event that its receiver has refused with another 4xx than 408, 410 or 429. */
public enum OnRejection {
  /** Retried with the outbox's back-off; dead when the attempts run out. */
  RETRY,

  /** Dead at once. */
  DEAD_LETTER
}

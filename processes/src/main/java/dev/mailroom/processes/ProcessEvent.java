package dev.mailroom.processes;

import java.time.Instant;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Something that happened to a process instance.
 *
 * @param at when, by the store's clock
 * @param kind what
 * @param subject the contract of the message, the name of the timeout, or why it failed
 * @param messageId the message, or null if there is none
 */
public record ProcessEvent(Instant at, Kind kind, String subject, @Nullable UUID messageId) {
  /** Refuses null. */
  public ProcessEvent {
    Objects.requireNonNull(at, "at");
    Objects.requireNonNull(kind, "kind");
    Objects.requireNonNull(subject, "subject");
  }

  /** What can happen. */
  public enum Kind {
    /** It got a message. */
    RECEIVED,
    /** It sent a message. */
    SENT,
    /** It asked for a timeout. */
    TIMEOUT_REQUESTED,
    /** It took a timeout back. */
    TIMEOUT_CANCELLED,
    /** It got a timeout that it had asked for. */
    TIMEOUT_FIRED,
    /** A step completed it. */
    COMPLETED,
    /** A step gave it up. */
    FAILED
  }
}

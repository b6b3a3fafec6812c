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
    /** It received a message. */
    RECEIVED,
    /** It sent a message. */
    SENT,
    /** It requested a timeout. */
    TIMEOUT_REQUESTED,
    /** It cancelled a timeout. */
    TIMEOUT_CANCELLED,
    /** It received a timeout that it had requested. */
    TIMEOUT_FIRED,
    /** A step completed it. */
    COMPLETED,
    /** It failed. */
    FAILED
  }
}

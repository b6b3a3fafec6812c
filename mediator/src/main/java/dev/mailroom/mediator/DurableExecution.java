package dev.mailroom.mediator;

import dev.mailroom.messages.Trace;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The stored message behind a call. After a crash the call is repeated, and its result is dropped.
 *
 * @param messageId the stored message's identity: the key to make side effects idempotent
 * @param attempt which attempt this is, from 1
 * @param tenant whose message it is, or null
 * @param trace what it belongs to: correlation, causation and trace
 */
public record DurableExecution(UUID messageId, int attempt, @Nullable String tenant, Trace trace) {

  /** Refuses attempts that cannot be. */
  public DurableExecution {
    if (attempt < 1) {
      throw new IllegalArgumentException(
          "The attempt of message " + messageId + " is " + attempt + ": attempts count from 1.");
    }
  }

  /** The conversation it is part of, or null. */
  public @Nullable String correlationId() {
    return trace.correlationId();
  }

  /** The message or request that caused it, or null. */
  public @Nullable String causationId() {
    return trace.causationId();
  }
}

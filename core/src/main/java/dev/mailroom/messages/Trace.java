package dev.mailroom.messages;

import org.jspecify.annotations.Nullable;

/**
 * What a message belongs to beyond itself.
 *
 * @param correlationId the conversation it is part of, or null
 * @param causationId the message or request that caused it, or null
 * @param traceParent the W3C trace parent under which it was written, or null
 * @param traceState the W3C trace state beside it, or null
 */
public record Trace(
    @Nullable String correlationId,
    @Nullable String causationId,
    @Nullable String traceParent,
    @Nullable String traceState) {

  /** Nothing known. */
  public static final Trace NONE = new Trace(null, null, null, null);

  /** Turns blank values into none and refuses over-long ones. */
  public Trace {
    correlationId = Limits.key("correlation id", correlationId);
    causationId = Limits.key("causation id", causationId);
    traceParent = Limits.key("trace parent", traceParent);
    traceState = Limits.text("trace state", traceState, Limits.TRACE_STATE_LENGTH);
  }
}

package dev.mailroom.messages;

import java.util.Map;
import java.util.Objects;
import java.util.UUID;

/**
 * A message as a store holds it.
 *
 * @param channel the name of its channel
 * @param envelope identity, payload, routing and tracing
 * @param timing when it was created, is visible and expires
 * @param progress sequence, attempts, crashes, deferrals and last error
 * @param checkpoints the outcome of each step recorded in the middle of a lease, by step
 */
public record Message(
    String channel,
    Envelope envelope,
    Timing timing,
    Progress progress,
    Map<String, String> checkpoints) {

  /** Copies the checkpoints. */
  public Message {
    Objects.requireNonNull(channel, "channel");
    Objects.requireNonNull(envelope, "envelope");
    Objects.requireNonNull(timing, "timing");
    Objects.requireNonNull(progress, "progress");
    checkpoints = Map.copyOf(checkpoints);
  }

  /** The message's identity. */
  public UUID id() {
    return envelope.id();
  }

  /** What its payload is. */
  public Contract contract() {
    return envelope.contract();
  }

  /** Tenant, group, deduplication and collapse key. */
  public Routing routing() {
    return envelope.routing();
  }
}

package dev.mailroom.messages;

import java.util.Map;
import java.util.Objects;
import java.util.UUID;

/**
 * What the writer of a message decided; it never changes afterwards: identity, payload, routing,
 * tracing.
 *
 * @param id the message's identity; a UUIDv7 unless the caller brought its own
 * @param payload the encoded payload and its contract
 * @param routing tenant, group, deduplication and collapse key
 * @param trace correlation, causation and trace context
 * @param headers free text by name; bounded, see {@link Limits}
 */
public record Envelope(
    UUID id, Payload payload, Routing routing, Trace trace, Map<String, String> headers) {

  /** Checks the headers' limits and copies them. */
  public Envelope {
    Objects.requireNonNull(id, "id");
    Objects.requireNonNull(payload, "payload");
    Objects.requireNonNull(routing, "routing");
    Objects.requireNonNull(trace, "trace");
    headers = Limits.headers(headers);
  }

  /** What the payload is. */
  public Contract contract() {
    return payload.contract();
  }
}

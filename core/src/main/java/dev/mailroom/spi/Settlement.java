package dev.mailroom.spi;

import java.util.Objects;
import java.util.UUID;

/**
 * The outcome of one leased message.
 *
 * @param id the message
 * @param token the lease under which it was handled
 * @param outcome what became of it
 */
public record Settlement(UUID id, UUID token, Outcome outcome) {
  /** Refuses null. */
  public Settlement {
    Objects.requireNonNull(id, "id");
    Objects.requireNonNull(token, "token");
    Objects.requireNonNull(outcome, "outcome");
  }
}

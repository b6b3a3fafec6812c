package dev.mailroom.spi;

import dev.mailroom.messages.Limits;
import java.util.Objects;
import java.util.UUID;

/**
 * Progress in the middle of a lease.
 *
 * @param id the message
 * @param token the lease under which it is handled
 * @param step the step's stable name, at most {@link Limits#KEY_LENGTH} characters
 * @param outcome what became of the step, at most {@link Limits#KEY_LENGTH} characters
 */
public record Checkpoint(UUID id, UUID token, String step, String outcome) {
  /** Checks the names. */
  public Checkpoint {
    Objects.requireNonNull(id, "id");
    Objects.requireNonNull(token, "token");
    Limits.requireName("checkpoint's step", step);
    Limits.requireName("checkpoint's outcome", outcome);
  }
}

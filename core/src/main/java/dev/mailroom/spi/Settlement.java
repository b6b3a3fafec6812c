package dev.mailroom.spi;

import dev.mailroom.messages.Limits;
import java.util.List;
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

  /**
   * Checks the settlements of one call of a store: none, or at most {@link Limits#BATCH}.
   *
   * @throws IllegalArgumentException if there are more
   */
  public static void requireBatch(List<Settlement> settlements) {
    if (!settlements.isEmpty()) {
      Limits.requireCount("number of settlements", settlements.size(), Limits.BATCH);
    }
  }
}

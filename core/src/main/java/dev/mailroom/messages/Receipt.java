package dev.mailroom.messages;

import java.time.Instant;
import java.util.UUID;

/**
 * What became of a write.
 *
 * @param messageId the stored message: this one, or the first one if this is a duplicate
 * @param contract what was written
 * @param acceptedAt when the stored message was accepted, by the store's clock
 * @param status accepted or duplicate
 */
public record Receipt(UUID messageId, Contract contract, Instant acceptedAt, Status status) {

  /** Accepted or duplicate. */
  public enum Status {
    /** The message was stored. */
    ACCEPTED,
    /** A message with the same key or id was stored before; nothing was stored now. */
    DUPLICATE
  }

  /** Whether nothing was stored because the message was stored before. */
  public boolean isDuplicate() {
    return status == Status.DUPLICATE;
  }
}

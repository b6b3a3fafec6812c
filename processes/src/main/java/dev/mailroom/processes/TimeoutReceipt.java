package dev.mailroom.processes;

import dev.mailroom.messages.Receipt;
import java.time.Instant;
import java.util.UUID;

/**
 * What became of a timeout that was requested.
 *
 * @param id the stored timeout: this one, or the first one if this is a duplicate
 * @param acceptedAt when the stored timeout was accepted, by the store's clock
 * @param status accepted or duplicate
 */
public record TimeoutReceipt(UUID id, Instant acceptedAt, Receipt.Status status) {

  /** Whether nothing was stored because the timeout was stored before. */
  public boolean isDuplicate() {
    return status == Receipt.Status.DUPLICATE;
  }
}

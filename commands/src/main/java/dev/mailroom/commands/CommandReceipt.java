package dev.mailroom.commands;

import dev.mailroom.messages.Contract;
import dev.mailroom.messages.Receipt;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What became of a command that was to be scheduled.
 *
 * @param id the stored command: this one, or the first one if this is a duplicate
 * @param type the command's type
 * @param contract the name and version under which it is stored
 * @param acceptedAt when the stored command was accepted, by the store's clock
 * @param status accepted or duplicate
 * @param correlationId the conversation given to this call, or null
 * @param causationId the cause given to this call, or null
 * @param tenant the tenant given to this call, or null
 */
public record CommandReceipt(
    UUID id,
    Class<?> type,
    Contract contract,
    Instant acceptedAt,
    Receipt.Status status,
    @Nullable String correlationId,
    @Nullable String causationId,
    @Nullable String tenant) {

  /** Whether nothing was stored because the command was stored before. */
  public boolean isDuplicate() {
    return status == Receipt.Status.DUPLICATE;
  }
}

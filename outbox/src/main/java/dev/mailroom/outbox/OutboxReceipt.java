package dev.mailroom.outbox;

import dev.mailroom.messages.Contract;
import dev.mailroom.messages.Receipt;
import dev.mailroom.messages.WriteOptions;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What became of an event that was added.
 *
 * @param messageId the stored event: this one, or the first one if this is a duplicate
 * @param contract what was added
 * @param acceptedAt when the stored event was accepted, by the store's clock
 * @param status accepted or duplicate
 * @param correlationId the conversation this one is part of, or null
 * @param causationId the message or request that caused this one, or null
 * @param tenant whose event this one is, or null
 */
public record OutboxReceipt(
    UUID messageId,
    Contract contract,
    Instant acceptedAt,
    Receipt.Status status,
    @Nullable String correlationId,
    @Nullable String causationId,
    @Nullable String tenant) {

  static OutboxReceipt of(Receipt receipt, WriteOptions options) {
    return new OutboxReceipt(
        receipt.messageId(),
        receipt.contract(),
        receipt.acceptedAt(),
        receipt.status(),
        options.correlationId(),
        options.causationId(),
        options.tenant());
  }

  /** Whether nothing was stored because the event was stored before. */
  public boolean isDuplicate() {
    return status == Receipt.Status.DUPLICATE;
  }
}

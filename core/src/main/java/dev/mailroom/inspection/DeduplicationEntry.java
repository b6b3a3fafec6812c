package dev.mailroom.inspection;

import java.time.Instant;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What a store remembers of a deduplication key, also after the message itself is gone.
 *
 * @param messageId the message that took the key last
 * @param acceptedAt when the store accepted it
 * @param expiresAt when the key may be used again; null means never
 */
public record DeduplicationEntry(UUID messageId, Instant acceptedAt, @Nullable Instant expiresAt) {
  /** Refuses null. */
  public DeduplicationEntry {
    Objects.requireNonNull(messageId, "messageId");
    Objects.requireNonNull(acceptedAt, "acceptedAt");
  }
}

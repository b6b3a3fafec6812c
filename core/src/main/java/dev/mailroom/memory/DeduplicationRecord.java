package dev.mailroom.memory;

import dev.mailroom.memory.Timeline.Alarm;
import java.time.Instant;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** That a key was used: by which message, with which content, until when that counts. */
final class DeduplicationRecord {
  final Lane lane;
  final String key;
  final UUID messageId;
  final byte[] fingerprint;
  final Instant acceptedAt;
  final @Nullable Instant expiresAt;

  @Nullable Alarm<DeduplicationRecord> expiry;

  /** The open transaction that wrote it. */
  @Nullable MemoryTransaction owner;

  /** The expired record in whose place it was written; kept until that is final. */
  @Nullable DeduplicationRecord replaced;

  /** True if it was purged while its message was unfinished: it only leads to the message. */
  boolean purged;

  DeduplicationRecord(Entry entry, byte[] fingerprint, @Nullable Instant expiresAt) {
    this.lane = entry.lane;
    this.key = Objects.requireNonNull(entry.envelope.routing().deduplicationKey());
    this.messageId = entry.id();
    this.fingerprint = fingerprint;
    this.acceptedAt = entry.timing.createdAt();
    this.expiresAt = expiresAt;
    this.owner = entry.owner;
  }

  boolean hasExpired(Instant now) {
    return expiresAt != null && !expiresAt.isAfter(now);
  }
}

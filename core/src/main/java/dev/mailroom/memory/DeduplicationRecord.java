package dev.mailroom.memory;

import dev.mailroom.memory.TimerHeap.Timer;
import java.time.Instant;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The use of a deduplication key: its message, its fingerprint, its expiry. */
final class DeduplicationRecord {
  final TenantQueue tenantQueue;
  final String key;
  final UUID messageId;
  final byte[] fingerprint;
  final Instant acceptedAt;
  final @Nullable Instant expiresAt;

  @Nullable Timer<DeduplicationRecord> expiry;

  /** The open transaction that wrote it. */
  @Nullable MemoryTransaction owner;

  /** The expired record that it replaces; kept until the append is published. */
  @Nullable DeduplicationRecord replaced;

  /** True if it was purged while its message was unfinished: it is kept to find the message. */
  boolean purged;

  DeduplicationRecord(MessageEntry entry, byte[] fingerprint, @Nullable Instant expiresAt) {
    this.tenantQueue = entry.tenantQueue;
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

package dev.mailroom.memory;

import dev.mailroom.inspection.ChannelCounts;
import dev.mailroom.inspection.DeduplicationEntry;
import dev.mailroom.inspection.InspectedMessage;
import dev.mailroom.inspection.MessageState;
import dev.mailroom.messages.Target;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Reads one channel at one time. */
final class MemoryInspection {
  private static final int MOVES = 1_000;

  private final MemoryChannel channel;
  private final Instant now;

  MemoryInspection(MemoryChannel channel, Instant now) {
    this.channel = channel;
    this.now = now;
  }

  /** The counts; empty if more messages are due than one call moves. */
  Optional<ChannelCounts> counts() {
    ChannelScheduler scheduler = channel.scheduler;
    scheduler.moveDue(now, MOVES);
    Instant nextDue = scheduler.nextDue();
    if (nextDue != null && !nextDue.isAfter(now)) {
      return Optional.empty();
    }
    MessageCounts counts = scheduler.counts;
    return Optional.of(
        new ChannelCounts(
            counts.ready,
            counts.scheduled,
            counts.leased,
            counts.dead,
            channel.history.size(),
            Set.of(),
            oldestDue()));
  }

  Optional<InspectedMessage> find(Target target) {
    MessageEntry entry =
        target instanceof Target.ById byId ? byId(byId.id()) : byKey((Target.ByKey) target);
    return Optional.ofNullable(entry).map(this::found);
  }

  InspectedMessage found(MessageEntry entry) {
    return new InspectedMessage(entry.toMessage(channel.name), state(entry));
  }

  private @Nullable MessageEntry byId(UUID id) {
    MessageEntry entry = channel.byId.get(id);
    return entry == null || entry.state == EntryState.STAGED ? channel.history.find(id) : entry;
  }

  Optional<DeduplicationEntry> key(Target.ByKey key) {
    return Optional.ofNullable(record(key))
        .map(found -> new DeduplicationEntry(found.messageId, found.acceptedAt, found.expiresAt));
  }

  private @Nullable DeduplicationRecord record(Target.ByKey key) {
    TenantQueue tenantQueue = channel.tenantQueues.find(key.tenant());
    return tenantQueue == null ? null : Deduplication.visible(tenantQueue, key.deduplicationKey());
  }

  /** The id of a removed message may have been reused with another key. */
  private @Nullable MessageEntry byKey(Target.ByKey key) {
    DeduplicationRecord record = record(key);
    MessageEntry entry = record == null ? null : byId(record.messageId);
    return entry != null
            && key.deduplicationKey().equals(entry.envelope.routing().deduplicationKey())
            && Objects.equals(key.tenant(), entry.envelope.routing().tenant())
        ? entry
        : null;
  }

  private @Nullable Duration oldestDue() {
    MessageEntry oldest = channel.scheduler.oldestReady();
    if (oldest == null) {
      return null;
    }
    Instant due = oldest.timing.visibleAt();
    return due.isAfter(now) ? Duration.ZERO : Duration.between(due, now);
  }

  MessageState state(MessageEntry entry) {
    return switch (entry.state) {
      case READY -> MessageState.READY;
      case SCHEDULED ->
          entry.timing.visibleAt().isAfter(now) ? MessageState.SCHEDULED : MessageState.READY;
      case LEASED -> MessageState.LEASED;
      case DEAD -> MessageState.DEAD;
      case COMPLETED -> MessageState.COMPLETED;
      case STAGED, GONE ->
          throw new IllegalStateException("Message " + entry.id() + " is " + entry.state);
    };
  }
}

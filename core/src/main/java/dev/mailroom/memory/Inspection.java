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

/** Looks into one channel at one time. */
final class Inspection {
  private static final int MOVES = 1_000;

  private final MemoryChannel channel;
  private final Instant now;

  Inspection(MemoryChannel channel, Instant now) {
    this.channel = channel;
    this.now = now;
  }

  /** The counts, or nothing if more is due than could be moved in one go. */
  Optional<ChannelCounts> counts() {
    Placement placement = channel.placement;
    placement.moveDue(now, MOVES);
    Instant nextDue = placement.nextDue();
    if (nextDue != null && !nextDue.isAfter(now)) {
      return Optional.empty();
    }
    Census census = placement.census;
    return Optional.of(
        new ChannelCounts(
            census.ready,
            census.scheduled,
            census.leased,
            census.dead,
            channel.history.size(),
            Set.of(),
            oldestDue()));
  }

  Optional<InspectedMessage> find(Target target) {
    Entry entry =
        target instanceof Target.ById byId ? byId(byId.id()) : byKey((Target.ByKey) target);
    return Optional.ofNullable(entry).map(this::found);
  }

  InspectedMessage found(Entry entry) {
    return new InspectedMessage(entry.toMessage(channel.name), state(entry));
  }

  private @Nullable Entry byId(UUID id) {
    Entry entry = channel.byId.get(id);
    return entry == null || entry.standing == Standing.STAGED ? channel.history.find(id) : entry;
  }

  Optional<DeduplicationEntry> key(Target.ByKey key) {
    return Optional.ofNullable(record(key))
        .map(found -> new DeduplicationEntry(found.messageId, found.acceptedAt, found.expiresAt));
  }

  private @Nullable DeduplicationRecord record(Target.ByKey key) {
    Lane lane = channel.lanes.find(key.tenant());
    return lane == null ? null : Deduplication.visible(lane, key.deduplicationKey());
  }

  /** The id of a message that is gone may have been used again, with another key. */
  private @Nullable Entry byKey(Target.ByKey key) {
    DeduplicationRecord record = record(key);
    Entry entry = record == null ? null : byId(record.messageId);
    return entry != null
            && key.deduplicationKey().equals(entry.envelope.routing().deduplicationKey())
            && Objects.equals(key.tenant(), entry.envelope.routing().tenant())
        ? entry
        : null;
  }

  private @Nullable Duration oldestDue() {
    Entry oldest = channel.placement.oldestReady();
    if (oldest == null) {
      return null;
    }
    Instant due = oldest.timing.visibleAt();
    return due.isAfter(now) ? Duration.ZERO : Duration.between(due, now);
  }

  MessageState state(Entry entry) {
    return switch (entry.standing) {
      case READY -> MessageState.READY;
      case SCHEDULED ->
          entry.timing.visibleAt().isAfter(now) ? MessageState.SCHEDULED : MessageState.READY;
      case LEASED -> MessageState.LEASED;
      case DEAD -> MessageState.DEAD;
      case COMPLETED -> MessageState.COMPLETED;
      case STAGED, GONE ->
          throw new IllegalStateException("Message " + entry.id() + " is " + entry.standing);
    };
  }
}

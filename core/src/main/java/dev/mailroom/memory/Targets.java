package dev.mailroom.memory;

import dev.mailroom.Due;
import dev.mailroom.spi.Target;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Cancels and moves messages that nobody has leased. */
final class Targets {
  private static final int MOVES = 1_000;

  private final MemoryChannel channel;

  Targets(MemoryChannel channel) {
    this.channel = channel;
  }

  /** The message that is meant, in whatever state, or null. */
  @Nullable Entry find(Target target) {
    if (target instanceof Target.ById byId) {
      return channel.byId.get(byId.id());
    }
    Target.ByKey byKey = (Target.ByKey) target;
    Lane lane = channel.lanes.find(byKey.tenant());
    DeduplicationRecord record =
        lane == null ? null : Deduplication.visible(lane, byKey.deduplicationKey());
    return record == null ? null : Deduplication.messageOf(record, channel);
  }

  boolean cancel(Target target) {
    Entry entry = find(target);
    if (entry == null || !entry.isFree()) {
      return false;
    }
    cancel(entry, Deduplication.of(entry));
    return true;
  }

  /** Removes a free message and frees its key. */
  void cancel(Entry entry, @Nullable DeduplicationRecord record) {
    channel.placement.withdraw(entry);
    if (record != null) {
      channel.deduplication.remove(record);
    }
    channel.remove(entry);
  }

  boolean reschedule(Target target, Due due, Instant now) {
    Entry entry = find(target);
    if (entry == null || !entry.isFree()) {
      return false;
    }
    channel.placement.moveDue(now, MOVES);
    channel.placement.reschedule(entry, due.resolve(now), now);
    return true;
  }
}

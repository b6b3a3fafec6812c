package dev.mailroom.memory;

import dev.mailroom.messages.Due;
import dev.mailroom.messages.Target;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Cancels and moves messages that nobody has leased, or that are meant even so. */
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
    Entry entry = take(target);
    if (entry == null) {
      return false;
    }
    cancel(entry, Deduplication.of(entry));
    return true;
  }

  /** The message that is meant, free from now on; null if there is none that can be. */
  private @Nullable Entry take(Target target) {
    Entry entry = find(target);
    if (entry == null || !canTake(entry, target)) {
      return null;
    }
    free(entry);
    return entry;
  }

  /** Whether the target's owner may have it. */
  static boolean canTake(Entry entry, Target target) {
    return entry.isFree() || (target.includesLeased() && entry.lease != null);
  }

  private void free(Entry entry) {
    if (entry.lease != null) {
      channel.giveBack(entry);
    }
  }

  /** Removes a message, from under its lease if there is one, and frees its key. */
  void cancel(Entry entry, @Nullable DeduplicationRecord record) {
    free(entry);
    channel.placement.withdraw(entry);
    if (record != null) {
      channel.deduplication.remove(record);
    }
    channel.remove(entry);
  }

  boolean reschedule(Target target, Due due, Instant now) {
    Entry entry = take(target);
    if (entry == null) {
      return false;
    }
    channel.placement.moveDue(now, MOVES);
    channel.placement.reschedule(entry, due.resolve(now), now);
    return true;
  }
}

package dev.mailroom.memory;

import dev.mailroom.messages.Due;
import dev.mailroom.messages.Target;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Cancels and reschedules messages that are not leased, or forced although they are. */
final class TargetOperations {
  private static final int MOVES = 1_000;

  private final MemoryChannel channel;

  TargetOperations(MemoryChannel channel) {
    this.channel = channel;
  }

  /** The target message in any state, or null. */
  @Nullable MessageEntry find(Target target) {
    if (target instanceof Target.ById byId) {
      return channel.byId.get(byId.id());
    }
    Target.ByKey byKey = (Target.ByKey) target;
    TenantQueue tenantQueue = channel.tenantQueues.find(byKey.tenant());
    DeduplicationRecord record =
        tenantQueue == null ? null : Deduplication.visible(tenantQueue, byKey.deduplicationKey());
    return record == null ? null : Deduplication.messageOf(record, channel);
  }

  boolean cancel(Target target) {
    MessageEntry entry = take(target);
    if (entry == null) {
      return false;
    }
    cancel(entry, Deduplication.of(entry));
    return true;
  }

  /** The target message, no longer leased; null if there is none that can be changed. */
  private @Nullable MessageEntry take(Target target) {
    MessageEntry entry = find(target);
    if (entry == null || !canTake(entry, target)) {
      return null;
    }
    endLease(entry);
    return entry;
  }

  /** Whether the message may be changed. */
  static boolean canTake(MessageEntry entry, Target target) {
    return entry.isWaiting() || (target.includesLeased() && entry.lease != null);
  }

  private void endLease(MessageEntry entry) {
    if (entry.lease != null) {
      channel.release(entry);
    }
  }

  /** Removes a message, also from its lease, and releases its key. */
  void cancel(MessageEntry entry, @Nullable DeduplicationRecord record) {
    endLease(entry);
    channel.scheduler.dequeue(entry);
    if (record != null) {
      channel.deduplication.remove(record);
    }
    channel.remove(entry);
  }

  boolean reschedule(Target target, Due due, Instant now) {
    MessageEntry entry = take(target);
    if (entry == null) {
      return false;
    }
    channel.scheduler.moveDue(now, MOVES);
    channel.scheduler.reschedule(entry, due.resolve(now), now);
    return true;
  }
}

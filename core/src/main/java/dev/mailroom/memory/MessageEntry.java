package dev.mailroom.memory;

import dev.mailroom.deadletters.DeadLetter;
import dev.mailroom.memory.TimerHeap.Timer;
import dev.mailroom.messages.Envelope;
import dev.mailroom.messages.LastError;
import dev.mailroom.messages.Message;
import dev.mailroom.messages.Progress;
import dev.mailroom.messages.Timing;
import java.time.Instant;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * One message. Mutable, guarded by its channel's lock.
 *
 * <p>Its links (see {@link ListNode}) put it into its tenant's queue if it is ready and ungrouped,
 * or in its group from the moment it joins until it is finished, also while it waits, is leased, or
 * is the dead letter that parks its group.
 */
final class MessageEntry extends ListNode {
  final Envelope envelope;
  final TenantQueue tenantQueue;

  /** The key of the group it belongs to, or null if its channel or its writer asked for none. */
  final @Nullable String groupKey;

  Timing timing;
  long sequence;
  int attempts;
  int crashes;
  int deferrals;
  @Nullable Instant parkedSince;
  @Nullable LastError lastError;
  Map<String, String> checkpoints = Map.of();

  EntryState state = EntryState.STAGED;

  /** True once it has its position in the order; false while it is scheduled and new. */
  boolean sequenced;

  /** The group in which it has a position now. */
  @Nullable MessageGroup group;

  @Nullable LeaseRow lease;
  int leaseSlot;
  @Nullable Timer<MessageEntry> timer;
  @Nullable DeadLetterRecord deadLetter;

  /** The open transaction that wrote it. */
  @Nullable MemoryTransaction owner;

  /** Links of {@link ReadyAges}. */
  @Nullable MessageEntry older;

  @Nullable MessageEntry newer;

  MessageEntry(
      Envelope envelope, TenantQueue tenantQueue, @Nullable String groupKey, Timing timing) {
    this.envelope = envelope;
    this.tenantQueue = tenantQueue;
    this.groupKey = groupKey;
    this.timing = timing;
  }

  UUID id() {
    return envelope.id();
  }

  /** Whether it is neither leased nor finished: it can be cancelled, rescheduled, collapsed. */
  boolean isWaiting() {
    return state == EntryState.READY || state == EntryState.SCHEDULED;
  }

  boolean isPoison() {
    return crashes > 0;
  }

  boolean isHeldUnder(UUID token) {
    LeaseRow row = lease;
    return row != null && row.token.equals(token);
  }

  boolean hasExpired(Instant now) {
    Instant end = timing.expiresAt();
    return end != null && !end.isAfter(now);
  }

  void visibleAt(Instant time) {
    timing = new Timing(timing.createdAt(), timing.receivedAt(), time, timing.expiresAt());
  }

  /** Resets its progress for a redrive; its lifetime must not expire it again at once. */
  void reset(Instant now) {
    attempts = 0;
    crashes = 0;
    deferrals = 0;
    parkedSince = null;
    deadLetter = null;
    timing = new Timing(timing.createdAt(), timing.receivedAt(), now, null);
  }

  Message toMessage(String channel) {
    Progress progress =
        new Progress(sequence, attempts, crashes, deferrals, parkedSince, lastError);
    return new Message(channel, envelope, timing, progress, checkpoints);
  }

  DeadLetter toDeadLetter(String channel, DeadLetterRecord how) {
    return new DeadLetter(toMessage(channel), how.error(), how.at());
  }
}

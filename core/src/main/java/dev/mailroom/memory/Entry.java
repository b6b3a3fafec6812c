package dev.mailroom.memory;

import dev.mailroom.deadletters.DeadLetter;
import dev.mailroom.memory.Timeline.Alarm;
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
 * <p>Its links (see {@link Node}) place it in its lane's line if it is ready and ungrouped, or in
 * its group from the moment it joins until it is finished, also while it waits, is leased, or is
 * the dead letter its group waits for.
 */
final class Entry extends Node {
  final Envelope envelope;
  final Lane lane;

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

  Standing standing = Standing.STAGED;

  /** True once it has its place in the order; false while it is scheduled for its first turn. */
  boolean placed;

  /** The group in which it has a place now. */
  @Nullable Group group;

  @Nullable LeaseRow lease;
  int leaseSlot;
  @Nullable Alarm<Entry> alarm;
  @Nullable Death death;

  /** The open transaction that wrote it. */
  @Nullable MemoryTransaction owner;

  /** Links of {@link ReadyAges}. */
  @Nullable Entry older;

  @Nullable Entry newer;

  Entry(Envelope envelope, Lane lane, @Nullable String groupKey, Timing timing) {
    this.envelope = envelope;
    this.lane = lane;
    this.groupKey = groupKey;
    this.timing = timing;
  }

  UUID id() {
    return envelope.id();
  }

  /** Whether nobody has leased it and it is not finished: it can be cancelled, moved, collapsed. */
  boolean isFree() {
    return standing == Standing.READY || standing == Standing.SCHEDULED;
  }

  boolean isSuspect() {
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

  /** Starts anew after a death; the lifetime it had must not kill it again at once. */
  void reset(Instant now) {
    attempts = 0;
    crashes = 0;
    deferrals = 0;
    parkedSince = null;
    death = null;
    timing = new Timing(timing.createdAt(), timing.receivedAt(), now, null);
  }

  Message toMessage(String channel) {
    Progress progress =
        new Progress(sequence, attempts, crashes, deferrals, parkedSince, lastError);
    return new Message(channel, envelope, timing, progress, checkpoints);
  }

  DeadLetter toDeadLetter(String channel, Death how) {
    return new DeadLetter(toMessage(channel), how.error(), how.at());
  }
}

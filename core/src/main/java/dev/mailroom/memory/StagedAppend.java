package dev.mailroom.memory;

import dev.mailroom.errors.ConflictingDuplicateException;
import dev.mailroom.messages.Envelope;
import dev.mailroom.messages.Payload;
import dev.mailroom.messages.Timing;
import dev.mailroom.spi.AppendResult;
import dev.mailroom.spi.NewMessage;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One append, in two steps: {@link #stage} reserves ids, keys and capacity, {@link #publish} makes
 * the messages visible, {@link #unstage} reverts the first step. Without a transaction the two
 * steps happen under one lock; in a transaction its commit or rollback does the second.
 */
final class StagedAppend {
  private static final int LEAST_MOVES = 1_000;

  private final MemoryChannel channel;
  private final AppendRequest request;
  private final Capacity capacity;
  private final @Nullable MemoryTransaction owner;
  private final List<MessageEntry> entries;
  private final List<DeduplicationRecord> records = new ArrayList<>(0);
  private final AppendResult[] results;
  private int reserved;

  /**
   * Existing messages that this append reports as duplicates. Its own messages must not collapse
   * them: the caller would lose them.
   */
  private Set<MessageEntry> found = Set.of();

  /** The timing of messages that are due at once, shared by all of them in one call. */
  private @Nullable Timing dueNow;

  StagedAppend(
      MemoryChannel channel,
      AppendRequest request,
      Capacity capacity,
      @Nullable MemoryTransaction owner) {
    this.channel = channel;
    this.request = request;
    this.capacity = capacity;
    this.owner = owner;
    this.entries = new ArrayList<>(request.messages.size());
    this.results = new AppendResult[request.messages.size()];
  }

  MemoryChannel channel() {
    return channel;
  }

  List<AppendResult> results() {
    return List.of(results);
  }

  /**
   * Reserves ids, keys and capacity for all messages or for none.
   *
   * @return null after success, or the open transaction that must end first
   */
  @Nullable MemoryTransaction stage(Instant now) {
    boolean done = false;
    try {
      for (int i = 0; i < results.length; i++) {
        MemoryTransaction blocker = stage(i, now);
        if (blocker != null) {
          return blocker;
        }
      }
      int rows = entries.size() + records.size();
      capacity.reserve(rows);
      reserved = rows;
      done = true;
      return null;
    } finally {
      if (!done) {
        unstage();
      }
    }
  }

  /** Makes the messages visible, in their order. */
  void publish(Instant now) {
    channel.scheduler.moveDue(now, Math.max(LEAST_MOVES, 2 * entries.size()));
    for (DeduplicationRecord record : records) {
      channel.deduplication.publish(record);
    }
    for (MessageEntry entry : entries) {
      entry.owner = null;
      collapse(entry);
      channel.scheduler.add(entry, now);
    }
  }

  /** Reverts the staging. */
  void unstage() {
    for (MessageEntry entry : entries) {
      channel.byId.remove(entry.id(), entry);
      channel.tenantQueues.leave(entry.tenantQueue);
    }
    for (int i = records.size() - 1; i >= 0; i--) {
      channel.deduplication.unstage(records.get(i));
    }
    entries.clear();
    records.clear();
    capacity.release(reserved);
    reserved = 0;
  }

  private @Nullable MemoryTransaction stage(int index, Instant now) {
    NewMessage message = request.messages.get(index);
    Envelope envelope = message.envelope();
    TenantQueue tenantQueue = channel.tenantQueues.findOrAdd(envelope.routing().tenant());
    DeduplicationRecord record = recordOf(tenantQueue, envelope, now);
    if (record != null) {
      return isForeign(record.owner) ? record.owner : repeatsKey(index, record);
    }
    MessageEntry entry =
        new MessageEntry(envelope, tenantQueue, request.groupKey(message), timing(message, now));
    MessageEntry existing = channel.byId.putIfAbsent(envelope.id(), entry);
    if (existing != null) {
      channel.tenantQueues.dropIfUnused(tenantQueue);
      return isForeign(existing.owner) ? existing.owner : repeatsId(index, existing);
    }
    entry.owner = owner;
    tenantQueue.members++;
    entries.add(entry);
    reserveKey(index, entry, now);
    results[index] = new AppendResult(envelope.id(), true, now);
    return null;
  }

  private @Nullable DeduplicationRecord recordOf(
      TenantQueue tenantQueue, Envelope envelope, Instant now) {
    String key = envelope.routing().deduplicationKey();
    DeduplicationRecord record = key == null ? null : tenantQueue.records.get(key);
    return record == null || (!isForeign(record.owner) && record.hasExpired(now)) ? null : record;
  }

  private boolean isForeign(@Nullable MemoryTransaction other) {
    return other != null && other != owner;
  }

  private @Nullable MemoryTransaction repeatsKey(int index, DeduplicationRecord record) {
    NewMessage message = request.messages.get(index);
    if (message.strict() && !Arrays.equals(record.fingerprint, request.fingerprint(index))) {
      throw new ConflictingDuplicateException(message.id(), record.messageId);
    }
    results[index] = new AppendResult(record.messageId, false, record.acceptedAt);
    if (record.messageId.equals(message.id())) {
      keep(channel.byId.get(message.id()));
    }
    return null;
  }

  private @Nullable MemoryTransaction repeatsId(int index, MessageEntry existing) {
    NewMessage message = request.messages.get(index);
    if (message.strict() && !sameContent(message.envelope(), existing.envelope)) {
      throw new ConflictingDuplicateException(message.id(), existing.id());
    }
    results[index] = new AppendResult(existing.id(), false, existing.timing.createdAt());
    keep(existing);
    return null;
  }

  private void keep(@Nullable MessageEntry existing) {
    if (existing != null && existing.isWaiting()) {
      found = found.isEmpty() ? new HashSet<>() : found;
      found.add(existing);
    }
  }

  private static boolean sameContent(Envelope one, Envelope other) {
    Payload first = one.payload();
    Payload second = other.payload();
    return first.contract().equals(second.contract())
        && Arrays.equals(first.bytes(), second.bytes());
  }

  private void reserveKey(int index, MessageEntry entry, Instant now) {
    if (entry.envelope.routing().deduplicationKey() != null) {
      Duration window = request.channel.policy().deduplicationWindow();
      Instant end = window == null ? null : SaturatingTime.after(now, window);
      DeduplicationRecord record = new DeduplicationRecord(entry, request.fingerprint(index), end);
      channel.deduplication.stage(record);
      records.add(record);
    }
  }

  private Timing timing(NewMessage message, Instant now) {
    NewMessage.Schedule schedule = message.schedule();
    if (schedule.equals(NewMessage.Schedule.NOW)) {
      dueNow = dueNow == null ? new Timing(now, now, now, null) : dueNow;
      return dueNow;
    }
    Duration lifetime = schedule.lifetime();
    return new Timing(
        now,
        schedule.receivedAt() == null ? now : schedule.receivedAt(),
        schedule.due().resolve(now),
        lifetime == null ? null : SaturatingTime.after(now, lifetime));
  }

  private void collapse(MessageEntry newer) {
    String key = newer.envelope.routing().collapseKey();
    if (key == null) {
      return;
    }
    for (MessageEntry older : newer.tenantQueue.collapsible(key)) {
      if (!found.contains(older)) {
        channel.scheduler.dequeue(older);
        channel.remove(older);
      }
    }
  }
}

package dev.mailroom.memory;

import dev.mailroom.errors.InvalidMessageException;
import dev.mailroom.errors.LeaseLostException;
import dev.mailroom.messages.LastError;
import dev.mailroom.messages.Limits;
import dev.mailroom.options.AfterDeadLetter;
import dev.mailroom.spi.ChannelPolicy;
import dev.mailroom.spi.Checkpoint;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** Everything one channel holds, and how a message leaves it. Guarded by its lock. */
final class MemoryChannel {
  final String name;
  final ReentrantLock lock = new ReentrantLock();

  /** Everything that is staged, ready, scheduled, leased or dead. */
  final Map<UUID, MessageEntry> byId = new HashMap<>();

  final TenantQueues tenantQueues = new TenantQueues();
  final ChannelScheduler scheduler = new ChannelScheduler();
  final LeaseTable leases = new LeaseTable();
  final DeadLetterIndex deadLetters = new DeadLetterIndex();
  final ReleasedRows releasedRows;
  final History history;
  final Deduplication deduplication;

  MemoryChannel(String name, Capacity capacity) {
    this.name = name;
    this.releasedRows = new ReleasedRows(capacity);
    this.history = new History(releasedRows);
    this.deduplication = new Deduplication(tenantQueues, releasedRows);
  }

  /** Settles the accounts at the end of a verb; says whether there may be work for others. */
  boolean finish() {
    releasedRows.flush();
    return scheduler.clearWorkAvailable();
  }

  /** The message, if it is held under that token. */
  @Nullable MessageEntry held(UUID id, UUID token) {
    MessageEntry entry = byId.get(id);
    return entry != null && entry.isHeldUnder(token) ? entry : null;
  }

  /** Keeps progress in the middle of a lease; says how many steps the message has now. */
  int checkpoint(Checkpoint checkpoint) {
    MessageEntry entry = held(checkpoint.id(), checkpoint.token());
    if (entry == null) {
      throw new LeaseLostException(Set.of(checkpoint.id()));
    }
    Map<String, String> steps = new HashMap<>(entry.checkpoints);
    steps.put(checkpoint.step(), checkpoint.outcome());
    if (steps.size() > Limits.CHECKPOINTS) {
      throw new InvalidMessageException(
          "Message "
              + checkpoint.id()
              + " has "
              + Limits.CHECKPOINTS
              + " checkpoints, the max it can have: step '"
              + checkpoint.step()
              + "' was not recorded.");
    }
    entry.checkpoints = Map.copyOf(steps);
    return steps.size();
  }

  /** Takes the message out of its lease; the caller says where it goes. */
  void endLease(MessageEntry entry) {
    leases.release(entry);
    MessageGroup group = entry.group;
    if (group != null) {
      group.leased--;
    }
  }

  /** Ends the message's lease as if it had not been leased: ready, in its place. */
  void release(MessageEntry entry) {
    endLease(entry);
    entry.attempts--;
    scheduler.ready(entry);
  }

  /** Ends a message that is in no line, lease or timeline: handled. */
  void complete(MessageEntry entry, ChannelPolicy policy, Instant now) {
    Duration kept = policy.history();
    if (kept == null) {
      remove(entry);
      return;
    }
    forget(entry);
    scheduler.counts.move(entry, EntryState.COMPLETED);
    history.add(entry, SaturatingTime.after(now, kept));
  }

  /** Ends a message that is in no line, lease or timeline: without a trace. */
  void remove(MessageEntry entry) {
    forget(entry);
    scheduler.counts.move(entry, EntryState.GONE);
    releasedRows.add(1);
  }

  /**
   * Ends a message that is in no line, lease or timeline: as a dead letter. Where groups are parked
   * it keeps its place, and its group cannot go past it.
   */
  void deadLetter(MessageEntry entry, LastError error, AfterDeadLetter afterDeadLetter, Instant now) {
    entry.lastError = error;
    scheduler.counts.move(entry, EntryState.DEAD);
    deadLetters.add(entry, error, now);
    MessageGroup group = entry.group;
    if (group != null && afterDeadLetter == AfterDeadLetter.PARK) {
      scheduler.refresh(group);
    } else {
      scheduler.leaveGroup(entry);
    }
  }

  private void forget(MessageEntry entry) {
    scheduler.leaveGroup(entry);
    byId.remove(entry.id(), entry);
    deduplication.finished(entry);
    tenantQueues.leave(entry.tenantQueue);
  }
}

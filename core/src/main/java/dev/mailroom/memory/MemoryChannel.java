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

/** The data of one channel, and how a message ends. Guarded by its lock. */
final class MemoryChannel {
  final String name;
  final ReentrantLock lock = new ReentrantLock();

  /** All messages that are staged, ready, scheduled, leased or dead. */
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

  /** Ends an operation: updates the row count; returns whether work is available. */
  boolean finish() {
    releasedRows.flush();
    return scheduler.clearWorkAvailable();
  }

  /** The message, if it is leased with that token. */
  @Nullable MessageEntry held(UUID id, UUID token) {
    MessageEntry entry = byId.get(id);
    return entry != null && entry.isHeldUnder(token) ? entry : null;
  }

  /** Stores a checkpoint of a leased message; returns its number of checkpoints. */
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
              + " checkpoints, the maximum: step '"
              + checkpoint.step()
              + "' was not recorded.");
    }
    entry.checkpoints = Map.copyOf(steps);
    return steps.size();
  }

  /** Removes the message from its lease; the caller decides on its next state. */
  void endLease(MessageEntry entry) {
    leases.release(entry);
    MessageGroup group = entry.group;
    if (group != null) {
      group.leased--;
    }
  }

  /** Releases the message: ready at its position, without counting an attempt. */
  void release(MessageEntry entry) {
    endLease(entry);
    entry.attempts--;
    scheduler.ready(entry);
  }

  /** Completes a message that is in no queue, lease or schedule. */
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

  /** Removes a message that is in no queue, lease or schedule. */
  void remove(MessageEntry entry) {
    forget(entry);
    scheduler.counts.move(entry, EntryState.GONE);
    releasedRows.add(1);
  }

  /**
   * Dead-letters a message that is in no queue, lease or schedule. Where groups are parked it keeps
   * its position and blocks its group.
   */
  void deadLetter(
      MessageEntry entry, LastError error, AfterDeadLetter afterDeadLetter, Instant now) {
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

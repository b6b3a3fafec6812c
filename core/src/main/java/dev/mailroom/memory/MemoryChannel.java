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
  final Map<UUID, Entry> byId = new HashMap<>();

  final Lanes lanes = new Lanes();
  final Placement placement = new Placement();
  final LeaseRows leases = new LeaseRows();
  final Graveyard graveyard = new Graveyard();
  final FreedRows freed;
  final History history;
  final Deduplication deduplication;

  MemoryChannel(String name, Capacity capacity) {
    this.name = name;
    this.freed = new FreedRows(capacity);
    this.history = new History(freed);
    this.deduplication = new Deduplication(lanes, freed);
  }

  /** Settles the accounts at the end of a verb; says whether there may be work for others. */
  boolean finish() {
    freed.flush();
    return placement.clearStirred();
  }

  /** The message, if it is held under that token. */
  @Nullable Entry held(UUID id, UUID token) {
    Entry entry = byId.get(id);
    return entry != null && entry.isHeldUnder(token) ? entry : null;
  }

  /** Keeps progress in the middle of a lease; says how many steps the message has now. */
  int checkpoint(Checkpoint checkpoint) {
    Entry entry = held(checkpoint.id(), checkpoint.token());
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
              + " checkpoints, the most it can have: step '"
              + checkpoint.step()
              + "' was not recorded.");
    }
    entry.checkpoints = Map.copyOf(steps);
    return steps.size();
  }

  /** Takes the message out of its lease; the caller says where it goes. */
  void unlease(Entry entry) {
    leases.release(entry);
    Group group = entry.group;
    if (group != null) {
      group.leased--;
    }
  }

  /** Ends the message's lease as if it had not been leased: ready, in its place. */
  void giveBack(Entry entry) {
    unlease(entry);
    entry.attempts--;
    placement.ready(entry);
  }

  /** Ends a message that is in no line, lease or timeline: handled. */
  void complete(Entry entry, ChannelPolicy policy, Instant now) {
    Duration kept = policy.history();
    if (kept == null) {
      remove(entry);
      return;
    }
    forget(entry);
    placement.census.move(entry, Standing.COMPLETED);
    history.add(entry, Times.after(now, kept));
  }

  /** Ends a message that is in no line, lease or timeline: without a trace. */
  void remove(Entry entry) {
    forget(entry);
    placement.census.move(entry, Standing.GONE);
    freed.add(1);
  }

  /**
   * Ends a message that is in no line, lease or timeline: as a dead letter. Where groups are parked
   * it keeps its place, and its group cannot go past it.
   */
  void bury(Entry entry, LastError error, AfterDeadLetter afterDeadLetter, Instant now) {
    entry.lastError = error;
    placement.census.move(entry, Standing.DEAD);
    graveyard.add(entry, error, now);
    Group group = entry.group;
    if (group != null && afterDeadLetter == AfterDeadLetter.PARK) {
      placement.refresh(group);
    } else {
      placement.leaveGroup(entry);
    }
  }

  private void forget(Entry entry) {
    placement.leaveGroup(entry);
    byId.remove(entry.id(), entry);
    deduplication.finished(entry);
    lanes.leave(entry.lane);
  }
}

package dev.mailroom.memory;

import dev.mailroom.memory.TimerHeap.Timer;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Decides where every message and every group of one channel stands: in a line, on the timeline, or
 * nowhere while something else has to happen first.
 *
 * <p>A message that is scheduled for its first turn has no place in its group yet: it joins the
 * tail with a fresh sequence when it is due. One that waits for a retry keeps its place and its
 * sequence and so blocks what is behind it. Both wait on the same timeline.
 */
final class ChannelScheduler {
  final MessageCounts counts = new MessageCounts();
  private final TimerHeap<MessageEntry> schedule = new TimerHeap<>();
  private final ReadyAges ages = new ReadyAges();
  private long sequences;
  private boolean workAvailable;

  /** A message takes its first turn: now, or when its time comes. */
  void enter(MessageEntry entry, Instant now) {
    Instant visibleAt = entry.timing.visibleAt();
    if (visibleAt.isAfter(now)) {
      entry.sequence = ++sequences; // ties of equal due times go in the order of appending
      await(entry, visibleAt);
    } else {
      enqueue(entry);
    }
  }

  /** Joins the tail of its group, or of its line, with a fresh sequence. */
  void enqueue(MessageEntry entry) {
    entry.sequence = ++sequences;
    entry.sequenced = true;
    if (entry.groupKey != null) {
      MessageGroup group =
          entry.tenantQueue.groups.computeIfAbsent(
              entry.groupKey, key -> new MessageGroup(entry.tenantQueue, key));
      group.entries.addLast(entry);
      entry.group = group;
    }
    ready(entry);
  }

  /** Comes back from a lease, in its place, visible at that time. */
  void resume(MessageEntry entry, Instant visibleAt, Instant now) {
    entry.visibleAt(visibleAt);
    if (visibleAt.isAfter(now)) {
      await(entry, visibleAt);
    } else {
      ready(entry);
    }
  }

  /** Can be leased when those before it are done; in its place. */
  void ready(MessageEntry entry) {
    counts.move(entry, EntryState.READY);
    ages.add(entry);
    entry.tenantQueue.addCollapsible(entry);
    MessageGroup group = entry.group;
    if (group == null) {
      entry.tenantQueue.queueFor(entry).addLast(entry);
      workAvailable = true;
    } else {
      refresh(group);
    }
  }

  /** Leaves the line or the timeline; a place in a group is kept. */
  void withdraw(MessageEntry entry) {
    assert entry.isWaiting();
    Timer<MessageEntry> timer = entry.timer;
    if (timer != null) {
      schedule.remove(timer);
      entry.timer = null;
    } else {
      ages.remove(entry);
    }
    entry.tenantQueue.removeCollapsible(entry);
    if (entry.group == null) {
      entry.unlink();
    }
  }

  /** Goes to another time; a place in a group is given up unless that time has come. */
  void reschedule(MessageEntry entry, Instant visibleAt, Instant now) {
    boolean later = visibleAt.isAfter(now);
    if (!later && entry.state == EntryState.READY) {
      return;
    }
    withdraw(entry);
    entry.visibleAt(visibleAt);
    if (later) {
      leaveGroup(entry);
      entry.sequenced = false;
      await(entry, visibleAt);
    } else if (entry.sequenced) {
      ready(entry);
    } else {
      enqueue(entry);
    }
  }

  /** Gives up its place in its group. */
  void leaveGroup(MessageEntry entry) {
    MessageGroup group = entry.group;
    if (group != null) {
      entry.unlink();
      entry.group = null;
      refresh(group);
    }
  }

  /**
   * Puts a group where it belongs after its head or its leases have changed. A group that is in the
   * right line already keeps its turn.
   */
  void refresh(MessageGroup group) {
    MessageEntry head = group.entries.first();
    IntrusiveList<ListNode> queue = null;
    if (head == null) {
      group.tenantQueue.groups.remove(group.key, group);
    } else if (group.leased == 0 && head.state == EntryState.READY) {
      queue = group.tenantQueue.queueFor(head);
    }
    if (group.list != queue) {
      group.unlink();
      if (queue != null) {
        queue.addLast(group);
        workAvailable = true;
      }
    }
  }

  /** Makes ready what is due, the earliest first, but no more than a verb has time for. */
  void moveDue(Instant now, int max) {
    for (int moved = 0; moved < max; moved++) {
      Timer<MessageEntry> timer = schedule.firstDue(now);
      if (timer == null) {
        return;
      }
      schedule.remove(timer);
      MessageEntry entry = timer.item;
      entry.timer = null;
      if (entry.sequenced) {
        ready(entry);
      } else {
        enqueue(entry);
      }
    }
  }

  /** When the first scheduled message becomes due, or null. */
  @Nullable Instant nextDue() {
    Timer<MessageEntry> first = schedule.first();
    return first == null ? null : first.at;
  }

  @Nullable MessageEntry oldestReady() {
    return ages.oldest();
  }

  /** Whether anything came into a line or onto the timeline since the last time this was asked. */
  boolean clearWorkAvailable() {
    boolean answer = workAvailable;
    workAvailable = false;
    return answer;
  }

  private void await(MessageEntry entry, Instant visibleAt) {
    counts.move(entry, EntryState.SCHEDULED);
    entry.timer = schedule.add(visibleAt, entry.sequence, entry);
    entry.tenantQueue.addCollapsible(entry);
    workAvailable = true;
    MessageGroup group = entry.group;
    if (group != null) {
      refresh(group);
    }
  }
}

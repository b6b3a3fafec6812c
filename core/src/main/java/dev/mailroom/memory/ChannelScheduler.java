package dev.mailroom.memory;

import dev.mailroom.memory.TimerHeap.Timer;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Decides for each message and group of one channel whether it is queued, scheduled for later, or
 * blocked.
 *
 * <p>A message that is scheduled and was never ready has no position in its group yet: it joins the
 * tail with a new sequence when it is due. One that waits for a retry keeps its position and its
 * sequence and so blocks its successors. Both are in the same heap.
 */
final class ChannelScheduler {
  final MessageCounts counts = new MessageCounts();
  private final TimerHeap<MessageEntry> scheduled = new TimerHeap<>();
  private final ReadyAges ages = new ReadyAges();
  private long sequences;
  private boolean workAvailable;

  /** Adds a new message: ready now, or scheduled for its due time. */
  void add(MessageEntry entry, Instant now) {
    Instant visibleAt = entry.timing.visibleAt();
    if (visibleAt.isAfter(now)) {
      entry.sequence = ++sequences; // ties of equal due times go in the order of appends
      schedule(entry, visibleAt);
    } else {
      enqueue(entry);
    }
  }

  /** Adds a message to the tail of its group, or of its queue, with a new sequence. */
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

  /** Returns a message from a lease to its position, visible at that time. */
  void resume(MessageEntry entry, Instant visibleAt, Instant now) {
    entry.visibleAt(visibleAt);
    if (visibleAt.isAfter(now)) {
      schedule(entry, visibleAt);
    } else {
      ready(entry);
    }
  }

  /** Makes a message ready at its position: leasable when its predecessors are done. */
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

  /** Removes a message from its queue or the schedule; it keeps its position in a group. */
  void dequeue(MessageEntry entry) {
    assert entry.isWaiting();
    Timer<MessageEntry> timer = entry.timer;
    if (timer != null) {
      scheduled.remove(timer);
      entry.timer = null;
    } else {
      ages.remove(entry);
    }
    entry.tenantQueue.removeCollapsible(entry);
    if (entry.group == null) {
      entry.unlink();
    }
  }

  /** Changes the due time; a message that is due later loses its position in its group. */
  void reschedule(MessageEntry entry, Instant visibleAt, Instant now) {
    boolean later = visibleAt.isAfter(now);
    if (!later && entry.state == EntryState.READY) {
      return;
    }
    dequeue(entry);
    entry.visibleAt(visibleAt);
    if (later) {
      leaveGroup(entry);
      entry.sequenced = false;
      schedule(entry, visibleAt);
    } else if (entry.sequenced) {
      ready(entry);
    } else {
      enqueue(entry);
    }
  }

  /** Removes a message from its group. */
  void leaveGroup(MessageEntry entry) {
    MessageGroup group = entry.group;
    if (group != null) {
      entry.unlink();
      entry.group = null;
      refresh(group);
    }
  }

  /**
   * Queues or dequeues a group after its head or its leases have changed. A group that is in the
   * right queue already keeps its position.
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

  /** Makes due messages ready, the earliest first, at most {@code max}. */
  void moveDue(Instant now, int max) {
    for (int moved = 0; moved < max; moved++) {
      Timer<MessageEntry> timer = scheduled.firstDue(now);
      if (timer == null) {
        return;
      }
      scheduled.remove(timer);
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
    Timer<MessageEntry> first = scheduled.first();
    return first == null ? null : first.at;
  }

  @Nullable MessageEntry oldestReady() {
    return ages.oldest();
  }

  /** Whether a message was queued or scheduled since the last call. */
  boolean clearWorkAvailable() {
    boolean answer = workAvailable;
    workAvailable = false;
    return answer;
  }

  private void schedule(MessageEntry entry, Instant visibleAt) {
    counts.move(entry, EntryState.SCHEDULED);
    entry.timer = scheduled.add(visibleAt, entry.sequence, entry);
    entry.tenantQueue.addCollapsible(entry);
    workAvailable = true;
    MessageGroup group = entry.group;
    if (group != null) {
      refresh(group);
    }
  }
}

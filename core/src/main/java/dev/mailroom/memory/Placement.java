package dev.mailroom.memory;

import dev.mailroom.memory.Timeline.Alarm;
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
final class Placement {
  final Census census = new Census();
  private final Timeline<Entry> schedule = new Timeline<>();
  private final ReadyAges ages = new ReadyAges();
  private long sequences;
  private boolean stirred;

  /** A message takes its first turn: now, or when its time comes. */
  void enter(Entry entry, Instant now) {
    Instant visibleAt = entry.timing.visibleAt();
    if (visibleAt.isAfter(now)) {
      entry.sequence = ++sequences; // ties of equal due times go in the order of appending
      await(entry, visibleAt);
    } else {
      arrive(entry);
    }
  }

  /** Joins the tail of its group, or of its line, with a fresh sequence. */
  void arrive(Entry entry) {
    entry.sequence = ++sequences;
    entry.placed = true;
    if (entry.groupKey != null) {
      Group group =
          entry.lane.groups.computeIfAbsent(entry.groupKey, key -> new Group(entry.lane, key));
      group.entries.addLast(entry);
      entry.group = group;
    }
    ready(entry);
  }

  /** Comes back from a lease, in its place, visible at that time. */
  void resume(Entry entry, Instant visibleAt, Instant now) {
    entry.visibleAt(visibleAt);
    if (visibleAt.isAfter(now)) {
      await(entry, visibleAt);
    } else {
      ready(entry);
    }
  }

  /** Can be leased when those before it are done; in its place. */
  void ready(Entry entry) {
    census.move(entry, Standing.READY);
    ages.add(entry);
    entry.lane.addCollapsible(entry);
    Group group = entry.group;
    if (group == null) {
      entry.lane.lineFor(entry).addLast(entry);
      stirred = true;
    } else {
      refresh(group);
    }
  }

  /** Leaves the line or the timeline; a place in a group is kept. */
  void withdraw(Entry entry) {
    assert entry.isFree();
    Alarm<Entry> alarm = entry.alarm;
    if (alarm != null) {
      schedule.remove(alarm);
      entry.alarm = null;
    } else {
      ages.remove(entry);
    }
    entry.lane.removeCollapsible(entry);
    if (entry.group == null) {
      entry.leaveChain();
    }
  }

  /** Goes to another time; a place in a group is given up unless that time has come. */
  void reschedule(Entry entry, Instant visibleAt, Instant now) {
    boolean later = visibleAt.isAfter(now);
    if (!later && entry.standing == Standing.READY) {
      return;
    }
    withdraw(entry);
    entry.visibleAt(visibleAt);
    if (later) {
      leaveGroup(entry);
      entry.placed = false;
      await(entry, visibleAt);
    } else if (entry.placed) {
      ready(entry);
    } else {
      arrive(entry);
    }
  }

  /** Gives up its place in its group. */
  void leaveGroup(Entry entry) {
    Group group = entry.group;
    if (group != null) {
      entry.leaveChain();
      entry.group = null;
      refresh(group);
    }
  }

  /**
   * Puts a group where it belongs after its head or its leases have changed. A group that is in the
   * right line already keeps its turn.
   */
  void refresh(Group group) {
    Entry head = group.entries.first();
    Chain<Node> line = null;
    if (head == null) {
      group.lane.groups.remove(group.key, group);
    } else if (group.leased == 0 && head.standing == Standing.READY) {
      line = group.lane.lineFor(head);
    }
    if (group.chain != line) {
      group.leaveChain();
      if (line != null) {
        line.addLast(group);
        stirred = true;
      }
    }
  }

  /** Makes ready what is due, the earliest first, but no more than a verb has time for. */
  void moveDue(Instant now, int most) {
    for (int moved = 0; moved < most; moved++) {
      Alarm<Entry> alarm = schedule.firstDue(now);
      if (alarm == null) {
        return;
      }
      schedule.remove(alarm);
      Entry entry = alarm.item;
      entry.alarm = null;
      if (entry.placed) {
        ready(entry);
      } else {
        arrive(entry);
      }
    }
  }

  /** When the first scheduled message becomes due, or null. */
  @Nullable Instant nextDue() {
    Alarm<Entry> first = schedule.first();
    return first == null ? null : first.at;
  }

  @Nullable Entry oldestReady() {
    return ages.oldest();
  }

  /** Whether anything came into a line or onto the timeline since the last time this was asked. */
  boolean clearStirred() {
    boolean answer = stirred;
    stirred = false;
    return answer;
  }

  private void await(Entry entry, Instant visibleAt) {
    census.move(entry, Standing.SCHEDULED);
    entry.alarm = schedule.add(visibleAt, entry.sequence, entry);
    entry.lane.addCollapsible(entry);
    stirred = true;
    Group group = entry.group;
    if (group != null) {
      refresh(group);
    }
  }
}

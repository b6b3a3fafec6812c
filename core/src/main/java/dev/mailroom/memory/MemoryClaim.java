package dev.mailroom.memory;

import dev.mailroom.deadletters.DeadLetter;
import dev.mailroom.messages.LastError;
import dev.mailroom.messages.Limits;
import dev.mailroom.messages.Message;
import dev.mailroom.spi.ChannelPolicy;
import dev.mailroom.spi.Claim;
import dev.mailroom.spi.Lease;
import dev.mailroom.spi.LeaseRequest;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One claim. Its cost depends only on the messages that it leases, dead-letters and makes ready,
 * each of them bounded.
 */
final class MemoryClaim {
  private static final int LEAST_MOVES = 1_000;
  private static final Comparator<MessageEntry> BY_SEQUENCE =
      Comparator.comparingLong(entry -> entry.sequence);

  private final MemoryChannel channel;
  private final ChannelPolicy policy;
  private final LeaseRequest request;
  private final Instant now;
  private final List<MessageEntry> taken = new ArrayList<>();
  private final List<DeadLetter> deadLettered = new ArrayList<>(0);

  MemoryClaim(MemoryChannel channel, ChannelPolicy policy, LeaseRequest request, Instant now) {
    this.channel = channel;
    this.policy = policy;
    this.request = request;
    this.now = now;
  }

  Claim run(LeaseTokens tokens) {
    channel.scheduler.moveDue(now, Math.max(LEAST_MOVES, 2 * request.limit()));
    if (!takePoison()) {
      fill();
    }
    Lease lease = taken.isEmpty() ? null : open(tokens);
    return new Claim(
        lease, deadLettered.isEmpty() ? List.of() : List.copyOf(deadLettered), nextDue());
  }

  /**
   * Leases one poison message alone. Poison messages over their crash limit or lifetime are
   * dead-lettered, also if the request excludes poison messages.
   */
  private boolean takePoison() {
    IntrusiveList<ListNode> queue = poisonQueue();
    while (queue != null && deadLettered.size() < Limits.BATCH) {
      ListNode node = first(queue);
      MessageEntry head =
          node instanceof MessageGroup group ? first(group.entries) : (MessageEntry) node;
      LastError cause = deadLetterReason(head);
      if (cause != null) {
        deadLetterOrDiscard(head, cause);
      } else if (request.poisonMessages()) {
        take(head);
        if (head.group != null) {
          channel.scheduler.refresh(head.group);
        }
        moveToTail(channel.tenantQueues.poison, queue);
        return true;
      } else {
        return false;
      }
      queue = poisonQueue();
    }
    return false;
  }

  private void fill() {
    IntrusiveList<ListNode> queue = ready();
    while (queue != null && taken.size() < request.limit() && deadLettered.size() < Limits.BATCH) {
      ListNode node = first(queue);
      if (node instanceof MessageGroup group) {
        takeFrom(group);
      } else {
        takeOrDeadLetter((MessageEntry) node);
      }
      moveToTail(channel.tenantQueues.ready, queue);
      queue = ready();
    }
  }

  /** Leases the group's first messages, up to one that is scheduled, poison or parked. */
  private void takeFrom(MessageGroup group) {
    int max = Math.min(request.groupLimit(), request.limit() - taken.size());
    MessageEntry entry = group.entries.first();
    while (entry != null
        && max > 0
        && entry.state == EntryState.READY
        && !entry.isPoison()
        && deadLettered.size() < Limits.BATCH) {
      MessageEntry next = group.entries.after(entry);
      if (takeOrDeadLetter(entry)) {
        max--;
      } else if (entry.group != null) {
        break; // it is dead-lettered and its group parked
      }
      entry = next;
    }
    channel.scheduler.refresh(group);
  }

  private boolean takeOrDeadLetter(MessageEntry entry) {
    LastError cause = deadLetterReason(entry);
    if (cause != null) {
      deadLetterOrDiscard(entry, cause);
      return false;
    }
    take(entry);
    return true;
  }

  private void take(MessageEntry entry) {
    channel.scheduler.dequeue(entry);
    channel.scheduler.counts.move(entry, EntryState.LEASED);
    entry.attempts++;
    MessageGroup group = entry.group;
    if (group != null) {
      group.leased++;
    }
    taken.add(entry);
  }

  private @Nullable LastError deadLetterReason(MessageEntry entry) {
    int limit = policy.crashes().limit();
    if (entry.crashes >= limit) {
      return LastError.of(
          "crashed",
          "Its lease expired "
              + entry.crashes
              + " times without an outcome; the limit is "
              + limit
              + ".");
    }
    if (entry.hasExpired(now)) {
      return LastError.of(
          "expired",
          "Its lifetime ended at " + entry.timing.expiresAt() + ", before it was handled.");
    }
    return null;
  }

  private void deadLetterOrDiscard(MessageEntry entry, LastError cause) {
    channel.scheduler.dequeue(entry);
    if (policy.keepDeadLetters()) {
      channel.deadLetter(entry, cause, policy.afterDeadLetter(), now);
      deadLettered.add(new DeadLetter(entry.toMessage(channel.name), cause, now));
    } else {
      entry.lastError = cause;
      deadLettered.add(new DeadLetter(entry.toMessage(channel.name), cause, now));
      channel.remove(entry);
    }
  }

  private Lease open(LeaseTokens tokens) {
    if (!isSorted()) {
      taken.sort(BY_SEQUENCE);
    }
    MessageEntry[] entries = taken.toArray(new MessageEntry[0]);
    Message[] messages = new Message[entries.length];
    for (int i = 0; i < entries.length; i++) {
      messages[i] = entries[i].toMessage(channel.name);
    }
    Lease lease = new Lease(tokens.next(), now, List.of(messages));
    Instant until = SaturatingTime.after(now, request.duration());
    channel.leases.open(lease.token(), request.worker(), entries, until);
    return lease;
  }

  private boolean isSorted() {
    for (int i = 1; i < taken.size(); i++) {
      if (taken.get(i - 1).sequence > taken.get(i).sequence) {
        return false;
      }
    }
    return true;
  }

  private @Nullable Duration nextDue() {
    Instant next = channel.scheduler.nextDue();
    if (deadLettered.size() >= Limits.BATCH || (next != null && !next.isAfter(now))) {
      return Duration.ZERO;
    }
    return next == null ? null : Duration.between(now, next);
  }

  private @Nullable IntrusiveList<ListNode> poisonQueue() {
    if (request.tenant() == null) {
      return channel.tenantQueues.poison.first();
    }
    TenantQueue tenantQueue = channel.tenantQueues.find(request.tenant());
    return tenantQueue == null || tenantQueue.poison.first() == null ? null : tenantQueue.poison;
  }

  private @Nullable IntrusiveList<ListNode> ready() {
    if (request.tenant() == null) {
      return channel.tenantQueues.ready.first();
    }
    TenantQueue tenantQueue = channel.tenantQueues.find(request.tenant());
    return tenantQueue == null || tenantQueue.ready.first() == null ? null : tenantQueue.ready;
  }

  private static void moveToTail(
      IntrusiveList<IntrusiveList<ListNode>> rotation, IntrusiveList<ListNode> queue) {
    if (queue.list != null) {
      rotation.moveToLast(queue);
    }
  }

  private static <T extends ListNode> T first(IntrusiveList<T> list) {
    return Objects.requireNonNull(list.first());
  }
}

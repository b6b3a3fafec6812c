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
 * One claim. Its cost depends on what it leases, buries and moves, each of them bounded, and on
 * nothing else that the channel holds.
 */
final class Claiming {
  private static final int LEAST_MOVES = 1_000;
  private static final Comparator<Entry> BY_SEQUENCE =
      Comparator.comparingLong(entry -> entry.sequence);

  private final MemoryChannel channel;
  private final ChannelPolicy policy;
  private final LeaseRequest request;
  private final Instant now;
  private final List<Entry> taken = new ArrayList<>();
  private final List<DeadLetter> died = new ArrayList<>(0);

  Claiming(MemoryChannel channel, ChannelPolicy policy, LeaseRequest request, Instant now) {
    this.channel = channel;
    this.policy = policy;
    this.request = request;
    this.now = now;
  }

  Claim run(Tokens tokens) {
    channel.placement.moveDue(now, Math.max(LEAST_MOVES, 2 * request.limit()));
    if (!takeSuspect()) {
      fill();
    }
    Lease lease = taken.isEmpty() ? null : open(tokens);
    return new Claim(lease, died.isEmpty() ? List.of() : List.copyOf(died), nextDue());
  }

  /**
   * Leases one suspect alone. Those whose time is up die, whether suspects are asked for or not.
   */
  private boolean takeSuspect() {
    Chain<Node> line = suspects();
    while (line != null && died.size() < Limits.BATCH) {
      Node node = first(line);
      Entry head = node instanceof Group group ? first(group.entries) : (Entry) node;
      LastError cause = causeOfDeath(head);
      if (cause != null) {
        die(head, cause);
      } else if (request.suspects()) {
        take(head);
        if (head.group != null) {
          channel.placement.refresh(head.group);
        }
        endTurn(channel.lanes.suspects, line);
        return true;
      } else {
        return false;
      }
      line = suspects();
    }
    return false;
  }

  private void fill() {
    Chain<Node> line = ready();
    while (line != null && taken.size() < request.limit() && died.size() < Limits.BATCH) {
      Node node = first(line);
      if (node instanceof Group group) {
        takeFrom(group);
      } else {
        takeOrBury((Entry) node);
      }
      endTurn(channel.lanes.ready, line);
      line = ready();
    }
  }

  /** Leases the group's first messages, up to one that must wait, come alone or be decided on. */
  private void takeFrom(Group group) {
    int most = Math.min(request.groupLimit(), request.limit() - taken.size());
    Entry entry = group.entries.first();
    while (entry != null
        && most > 0
        && entry.standing == Standing.READY
        && !entry.isSuspect()
        && died.size() < Limits.BATCH) {
      Entry next = group.entries.after(entry);
      if (takeOrBury(entry)) {
        most--;
      } else if (entry.group != null) {
        break; // it died and its group is parked behind it
      }
      entry = next;
    }
    channel.placement.refresh(group);
  }

  private boolean takeOrBury(Entry entry) {
    LastError cause = causeOfDeath(entry);
    if (cause != null) {
      die(entry, cause);
      return false;
    }
    take(entry);
    return true;
  }

  private void take(Entry entry) {
    channel.placement.withdraw(entry);
    channel.placement.census.move(entry, Standing.LEASED);
    entry.attempts++;
    Group group = entry.group;
    if (group != null) {
      group.leased++;
    }
    taken.add(entry);
  }

  private @Nullable LastError causeOfDeath(Entry entry) {
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

  private void die(Entry entry, LastError cause) {
    channel.placement.withdraw(entry);
    if (policy.keepDeadLetters()) {
      channel.bury(entry, cause, policy.afterDeadLetter(), now);
      died.add(new DeadLetter(entry.toMessage(channel.name), cause, now));
    } else {
      entry.lastError = cause;
      died.add(new DeadLetter(entry.toMessage(channel.name), cause, now));
      channel.remove(entry);
    }
  }

  private Lease open(Tokens tokens) {
    if (!isSorted()) {
      taken.sort(BY_SEQUENCE);
    }
    Entry[] entries = taken.toArray(new Entry[0]);
    Message[] messages = new Message[entries.length];
    for (int i = 0; i < entries.length; i++) {
      messages[i] = entries[i].toMessage(channel.name);
    }
    Lease lease = new Lease(tokens.next(), now, List.of(messages));
    Instant until = Times.after(now, request.duration());
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
    Instant next = channel.placement.nextDue();
    if (died.size() >= Limits.BATCH || (next != null && !next.isAfter(now))) {
      return Duration.ZERO;
    }
    return next == null ? null : Duration.between(now, next);
  }

  private @Nullable Chain<Node> suspects() {
    if (request.tenant() == null) {
      return channel.lanes.suspects.first();
    }
    Lane lane = channel.lanes.find(request.tenant());
    return lane == null || lane.suspects.first() == null ? null : lane.suspects;
  }

  private @Nullable Chain<Node> ready() {
    if (request.tenant() == null) {
      return channel.lanes.ready.first();
    }
    Lane lane = channel.lanes.find(request.tenant());
    return lane == null || lane.ready.first() == null ? null : lane.ready;
  }

  private static void endTurn(Chain<Chain<Node>> rotation, Chain<Node> line) {
    if (line.chain != null) {
      rotation.moveToLast(line);
    }
  }

  private static <T extends Node> T first(Chain<T> chain) {
    return Objects.requireNonNull(chain.first());
  }
}

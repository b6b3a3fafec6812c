package dev.mailroom.memory;

import dev.mailroom.spi.ChannelPolicy;
import dev.mailroom.spi.Outcome;
import dev.mailroom.spi.Settlement;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Ends leases: by outcomes, by release, or by reclaiming them after their expiry. */
final class MemorySettlement {
  private final MemoryChannel channel;
  private final ChannelPolicy policy;
  private final Instant now;

  MemorySettlement(MemoryChannel channel, ChannelPolicy policy, Instant now) {
    this.channel = channel;
    this.policy = policy;
    this.now = now;
  }

  /** Applies outcomes of messages that are still leased; returns the ids of the others. */
  Set<UUID> settle(List<Settlement> settlements) {
    Set<UUID> lost = null;
    for (Settlement settlement : settlements) {
      MessageEntry entry = channel.held(settlement.id(), settlement.token());
      if (entry != null) {
        apply(entry, settlement.outcome());
      } else {
        lost = lost == null ? new HashSet<>() : lost;
        lost.add(settlement.id());
      }
    }
    return lost == null ? Set.of() : lost;
  }

  void apply(MessageEntry entry, Outcome outcome) {
    if (outcome instanceof Outcome.Completed) {
      channel.endLease(entry);
      channel.complete(entry, policy, now);
    } else if (outcome instanceof Outcome.Retried retried) {
      channel.endLease(entry);
      retry(entry, retried);
    } else if (outcome instanceof Outcome.Released) {
      channel.release(entry);
    } else if (outcome instanceof Outcome.Dead dead) {
      channel.endLease(entry);
      channel.deadLetter(entry, dead.error(), policy.afterDeadLetter(), now);
    } else {
      channel.endLease(entry);
      channel.remove(entry);
    }
  }

  /** Releases all messages of these leases; returns their number. */
  int releaseAll(Set<UUID> tokens) {
    int count = 0;
    for (UUID token : tokens) {
      LeaseRow row = channel.leases.find(token);
      if (row != null) {
        count += row.held;
        release(row);
      }
    }
    return count;
  }

  /** Reclaims expired leases, the earliest first; returns their number. */
  int reclaim(int limit) {
    int count = 0;
    for (; count < limit; count++) {
      LeaseRow row = channel.leases.firstExpired(now);
      if (row == null) {
        break;
      }
      reclaim(row);
    }
    return count;
  }

  private void release(LeaseRow row) {
    for (@Nullable MessageEntry entry : row.entries) {
      if (entry != null) {
        channel.release(entry);
      }
    }
  }

  /**
   * Reclaims a lease. In a group only the first message counts a crash: the others were not started
   * when the worker stopped.
   */
  private void reclaim(LeaseRow row) {
    Set<MessageGroup> counted = new HashSet<>();
    for (@Nullable MessageEntry entry : row.entries) {
      if (entry == null) {
        continue;
      }
      MessageGroup group = entry.group;
      if (group != null && !counted.add(group)) {
        channel.release(entry);
        continue;
      }
      channel.endLease(entry);
      entry.attempts--;
      entry.crashes++;
      Instant visibleAt =
          SaturatingTime.after(now, policy.crashes().backoff().delay(entry.crashes));
      channel.scheduler.resume(entry, visibleAt, now);
    }
  }

  private void retry(MessageEntry entry, Outcome.Retried retried) {
    entry.lastError = retried.error();
    switch (retried.counts()) {
      case ATTEMPT -> entry.parkedSince = null;
      case DEFERRAL -> {
        entry.attempts--;
        entry.deferrals++;
        entry.parkedSince = null;
      }
      case PARKING -> {
        entry.attempts--;
        entry.parkedSince = entry.parkedSince == null ? now : entry.parkedSince;
      }
    }
    channel.scheduler.resume(entry, SaturatingTime.after(now, retried.delay()), now);
  }
}

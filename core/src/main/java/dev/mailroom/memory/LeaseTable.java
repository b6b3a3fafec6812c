package dev.mailroom.memory;

import dev.mailroom.memory.TimerHeap.Timer;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The leases of one channel, by token and by expiry. */
final class LeaseTable {
  private final Map<UUID, LeaseRow> byToken = new HashMap<>();
  private final TimerHeap<LeaseRow> expiries = new TimerHeap<>();
  private long numbers;

  void open(UUID token, String worker, MessageEntry[] entries, Instant until) {
    LeaseRow row = new LeaseRow(token, worker, ++numbers, entries);
    row.expiry = expiries.add(until, row.number, row);
    byToken.put(token, row);
  }

  @Nullable LeaseRow find(UUID token) {
    return byToken.get(token);
  }

  @Nullable LeaseRow firstExpired(Instant now) {
    Timer<LeaseRow> timer = expiries.firstDue(now);
    return timer == null ? null : timer.item;
  }

  /** Extends leases; returns the tokens that are unknown. */
  Set<UUID> extend(Set<UUID> tokens, Instant until) {
    Set<UUID> unknown = new HashSet<>();
    for (UUID token : tokens) {
      LeaseRow row = byToken.get(token);
      if (row == null) {
        unknown.add(token);
      } else {
        removeExpiry(row);
        row.expiry = expiries.add(until, row.number, row);
      }
    }
    return unknown;
  }

  /** Removes the message from its lease; the last one removes the lease. */
  void release(MessageEntry entry) {
    LeaseRow row = Objects.requireNonNull(entry.lease);
    entry.lease = null;
    row.entries[entry.leaseSlot] = null;
    if (--row.held == 0) {
      removeExpiry(row);
      byToken.remove(row.token);
    }
  }

  int size() {
    return byToken.size();
  }

  private void removeExpiry(LeaseRow row) {
    expiries.remove(Objects.requireNonNull(row.expiry));
    row.expiry = null;
  }
}

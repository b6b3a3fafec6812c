package dev.mailroom.internal.engine;

import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;

/** The leases that one channel's engine holds. */
final class LeaseBook {
  private final Map<UUID, HeldLease> held = new ConcurrentHashMap<>();

  void add(HeldLease lease) {
    held.put(lease.token(), lease);
  }

  /** So many messages of the lease are settled, or given up. */
  void settled(HeldLease lease, int messages) {
    if (lease.settled(messages)) {
      held.remove(lease.token());
    }
  }

  /** The lease is not extended any more, whatever is unsettled. */
  void abandon(HeldLease lease) {
    held.remove(lease.token());
  }

  Collection<HeldLease> leases() {
    return held.values();
  }

  Set<UUID> tokens() {
    return Set.copyOf(held.keySet());
  }

  boolean isEmpty() {
    return held.isEmpty();
  }
}

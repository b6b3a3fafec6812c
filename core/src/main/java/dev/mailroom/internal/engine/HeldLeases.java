package dev.mailroom.internal.engine;

import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;

/** The leases that one channel's engine holds. */
final class HeldLeases {
  private final Map<UUID, HeldLease> held = new ConcurrentHashMap<>();

  void add(HeldLease lease) {
    held.put(lease.token(), lease);
  }

  /** Messages of the lease are settled or abandoned. */
  void settled(HeldLease lease, int messages) {
    if (lease.settled(messages)) {
      held.remove(lease.token());
    }
  }

  /** Stops extending the lease, although messages of it are unsettled. */
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

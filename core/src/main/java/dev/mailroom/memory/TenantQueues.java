package dev.mailroom.memory;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The tenants of one channel, and two round-robin rotations of their queues. */
final class TenantQueues {
  /** The ready queues that are not empty. */
  final IntrusiveList<IntrusiveList<ListNode>> ready = new IntrusiveList<>(null);

  /** The poison queues that are not empty. */
  final IntrusiveList<IntrusiveList<ListNode>> poison = new IntrusiveList<>(null);

  private final TenantQueue withoutTenant = new TenantQueue(null, ready, poison);
  private final Map<String, TenantQueue> byTenant = new HashMap<>();

  @Nullable TenantQueue find(@Nullable String tenant) {
    return tenant == null ? withoutTenant : byTenant.get(tenant);
  }

  TenantQueue findOrAdd(@Nullable String tenant) {
    TenantQueue found = find(tenant);
    if (found != null || tenant == null) {
      return found == null ? withoutTenant : found;
    }
    TenantQueue added = new TenantQueue(tenant, ready, poison);
    byTenant.put(tenant, added);
    return added;
  }

  /** Removes a reference to the tenant queue; the last one removes the queue. */
  void leave(TenantQueue tenantQueue) {
    tenantQueue.members--;
    dropIfUnused(tenantQueue);
  }

  void dropIfUnused(TenantQueue tenantQueue) {
    if (tenantQueue.members == 0 && tenantQueue.tenant != null) {
      byTenant.remove(tenantQueue.tenant);
    }
  }

  int size() {
    return byTenant.size();
  }
}

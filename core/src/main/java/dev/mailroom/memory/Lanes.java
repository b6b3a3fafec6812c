package dev.mailroom.memory;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The lanes of one channel, and the two rotations in which their lines take turns. */
final class Lanes {
  /** The ready lines that are not empty. */
  final Chain<Chain<Node>> ready = new Chain<>(null);

  /** The suspect lines that are not empty. */
  final Chain<Chain<Node>> suspects = new Chain<>(null);

  private final Lane withoutTenant = new Lane(null, ready, suspects);
  private final Map<String, Lane> byTenant = new HashMap<>();

  @Nullable Lane find(@Nullable String tenant) {
    return tenant == null ? withoutTenant : byTenant.get(tenant);
  }

  Lane findOrAdd(@Nullable String tenant) {
    Lane found = find(tenant);
    if (found != null || tenant == null) {
      return found == null ? withoutTenant : found;
    }
    Lane added = new Lane(tenant, ready, suspects);
    byTenant.put(tenant, added);
    return added;
  }

  /** One that referred to the lane is gone; the last one takes the lane with it. */
  void leave(Lane lane) {
    lane.members--;
    dropIfUnused(lane);
  }

  void dropIfUnused(Lane lane) {
    if (lane.members == 0 && lane.tenant != null) {
      byTenant.remove(lane.tenant);
    }
  }

  int size() {
    return byTenant.size();
  }
}

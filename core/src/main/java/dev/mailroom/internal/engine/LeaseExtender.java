package dev.mailroom.internal.engine;

import dev.mailroom.InboxOptions;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Extends leases with unsettled messages well before they expire (the heartbeat of this worker),
 * and marks the leases that the store reports as lost.
 */
final class LeaseExtender implements Service {
  private static final Logger LOG = LoggerFactory.getLogger(LeaseExtender.class);
  private static final Duration SHORTEST_REST = Duration.ofMillis(1);

  private final ChannelSpec spec;
  private final EngineContext context;
  private final HeldLeases heldLeases;
  private final Signal signal = new Signal();

  LeaseExtender(ChannelSpec spec, EngineContext context, HeldLeases heldLeases) {
    this.spec = spec;
    this.context = context;
    this.heldLeases = heldLeases;
  }

  @Override
  public String name() {
    return "lease-extender";
  }

  @Override
  public Signal signal() {
    return signal;
  }

  @Override
  public Duration pass() {
    InboxOptions.Leasing leasing = spec.options().leasing();
    // No lease can be due earlier than one taken just now, so new leases need not wake this
    // service.
    long rest = (long) (leasing.duration().toNanos() * leasing.threshold());
    if (!leasing.extended()) {
      return leasing.duration();
    }
    Map<UUID, HeldLease> due = new HashMap<>();
    for (HeldLease lease : heldLeases.leases()) {
      long nanosLeft = lease.nanosUntil(leasing.threshold(), context.time());
      if (lease.isLost()) {
        continue;
      }
      if (nanosLeft <= 0) {
        due.put(lease.token(), lease);
      } else {
        rest = Math.min(rest, nanosLeft);
      }
    }
    if (!due.isEmpty()) {
      extend(due, leasing.duration());
    }
    return Duration.ofNanos(Math.max(rest, SHORTEST_REST.toNanos()));
  }

  private void extend(Map<UUID, HeldLease> due, Duration duration) {
    long before = context.time().nanos();
    Set<UUID> lost = spec.store().extend(spec.channel(), due.keySet(), duration);
    due.forEach(
        (token, lease) -> {
          if (lost.contains(token)) {
            lease.markLost();
            LOG.warn(
                "A lease of channel '{}' is lost: another worker handles its messages. Unless"
                    + " this process was suspended or disconnected, the lease is too short.",
                spec.channel().name());
          } else {
            lease.renewed(before, duration);
          }
        });
  }
}

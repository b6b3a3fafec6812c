package dev.mailroom.storetestkit.simulation;

import dev.mailroom.messages.Message;
import dev.mailroom.spi.Claim;
import dev.mailroom.spi.Lease;
import dev.mailroom.spi.LeaseRequest;
import java.time.Duration;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Measures how long messages of late commits wait for their first lease: a store with a scan
 * watermark may miss them. Scheduled messages and messages of ordered groups are not measured.
 */
final class LateCommitMonitor {
  private final StoreModel model;
  private final Map<SimulatedMessage, Watch> watched = new LinkedHashMap<>();
  private LateCommitDelays delays = LateCommitDelays.NONE;

  private static final class Watch {
    private final long committedAt;
    private int passes;
    private int missed;

    private Watch(long committedAt) {
      this.committedAt = committedAt;
    }
  }

  LateCommitMonitor(StoreModel model) {
    this.model = model;
  }

  void committed(SimulatedMessage message) {
    boolean atOnce = !message.position.isScheduled() && model.groupOf(message) == null;
    if (message.isLive() && atOnce) {
      watched.put(message, new Watch(model.now()));
    }
  }

  void claimed(LeaseRequest request, Claim claim) {
    boolean room = hadRoom(request, claim);
    Iterator<Map.Entry<SimulatedMessage, Watch>> entries = watched.entrySet().iterator();
    while (entries.hasNext()) {
      Map.Entry<SimulatedMessage, Watch> entry = entries.next();
      SimulatedMessage message = entry.getKey();
      Watch watch = entry.getValue();
      watch.passes++;
      if (message.leased != null) {
        Duration waited = Duration.ofNanos(model.now() - watch.committedAt);
        delays = delays.and(new LateCommitDelays(1, waited, watch.passes, watch.missed));
        entries.remove();
      } else if (!message.isUnleased() || message.position.isScheduled()) {
        entries.remove();
      } else if (room && !message.perhapsCollapsed) {
        watch.missed++;
      }
    }
  }

  /** Whether the claim could have had one message more: one that has crashed comes alone. */
  private static boolean hadRoom(LeaseRequest request, Claim claim) {
    Lease lease = claim.lease();
    if (lease == null) {
      return true;
    }
    Message first = lease.messages().get(0);
    return lease.messages().size() < request.limit() && first.progress().crashes() == 0;
  }

  LateCommitDelays delays() {
    return delays;
  }
}

package dev.mailroom.storetestkit.contract;

import dev.mailroom.messages.Message;
import dev.mailroom.spi.Channel;
import dev.mailroom.spi.Claim;
import dev.mailroom.spi.Lease;
import dev.mailroom.spi.LeaseRequest;
import dev.mailroom.spi.Outcome;
import dev.mailroom.spi.Settlement;
import dev.mailroom.spi.Store;
import dev.mailroom.storetestkit.ForwardingStore;
import dev.mailroom.test.ManualTime;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;

/** A store that remembers its leases on the side, for mutants that need to know them. */
class Tracking extends ForwardingStore {
  /** The newest token of each message. */
  final Map<UUID, UUID> tokens = new ConcurrentHashMap<>();

  final Map<UUID, Held> leases = new ConcurrentHashMap<>();
  private final ManualTime time;

  record Held(String channel, List<UUID> messages, Instant until) {}

  Tracking(Store delegate, ManualTime time) {
    super(delegate);
    this.time = time;
  }

  @Override
  public Claim lease(Channel channel, LeaseRequest request) {
    Claim claim = super.lease(channel, request);
    Lease lease = claim.lease();
    if (lease != null) {
      List<UUID> ids = lease.messages().stream().map(Message::id).toList();
      ids.forEach(id -> tokens.put(id, lease.token()));
      Instant until = time.now().plus(request.duration());
      leases.put(lease.token(), new Held(channel.name(), ids, until));
    }
    return claim;
  }

  @Override
  public Set<UUID> extend(Channel channel, Set<UUID> extended, Duration duration) {
    extended.forEach(
        token ->
            leases.computeIfPresent(
                token,
                (key, held) ->
                    new Held(held.channel(), held.messages(), time.now().plus(duration))));
    return super.extend(channel, extended, duration);
  }

  final boolean expired(UUID token) {
    Held held = leases.get(token);
    return held != null && held.until().isBefore(time.now());
  }

  /** Forgets the channel's leases that match, settles what they still hold, and counts them. */
  final int take(Channel channel, boolean expiredOnly, Outcome outcome) {
    int taken = 0;
    for (Map.Entry<UUID, Held> entry : Map.copyOf(leases).entrySet()) {
      UUID token = entry.getKey();
      if (entry.getValue().channel().equals(channel.name())
          && (!expiredOnly || expired(token))
          && leases.remove(token) != null
          && settleAll(channel, token, entry.getValue().messages(), outcome) > 0) {
        taken++;
      }
    }
    return taken;
  }

  /** How many of the messages were still held. */
  final int settleAll(Channel channel, UUID token, List<UUID> ids, Outcome outcome) {
    List<Settlement> settlements =
        ids.stream().map(id -> new Settlement(id, token, outcome)).toList();
    return ids.size() - delegate().settle(channel, settlements).size();
  }
}

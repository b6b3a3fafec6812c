package dev.mailroom.memory;

import dev.mailroom.messages.Contract;
import dev.mailroom.messages.Due;
import dev.mailroom.messages.Envelope;
import dev.mailroom.messages.Payload;
import dev.mailroom.messages.Routing;
import dev.mailroom.messages.Trace;
import dev.mailroom.options.Ordering;
import dev.mailroom.spi.Channel;
import dev.mailroom.spi.ChannelPolicy;
import dev.mailroom.spi.Claim;
import dev.mailroom.spi.LeaseRequest;
import dev.mailroom.spi.NewMessage;
import dev.mailroom.spi.Outcome;
import dev.mailroom.spi.Settlement;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** What the tests of this package write and read. */
final class Letters {
  static final Channel CHANNEL =
      new Channel("letters", Ordering.WHEN_KEYED, ChannelPolicy.defaults());
  static final Routing PLAIN = Routing.NONE;
  private static final Contract CONTRACT = new Contract("letter", 1);

  private Letters() {}

  static NewMessage letter(Routing routing) {
    return letter(UUID.randomUUID(), routing, NewMessage.Schedule.NOW);
  }

  static NewMessage letter(Routing routing, Duration delay) {
    return letter(
        UUID.randomUUID(), routing, new NewMessage.Schedule(Due.after(delay), null, null));
  }

  static NewMessage letter(UUID id, Routing routing, NewMessage.Schedule schedule) {
    Payload payload = new Payload(CONTRACT, "text/plain", "hi".getBytes(StandardCharsets.UTF_8));
    return new NewMessage(
        new Envelope(id, payload, routing, Trace.NONE, Map.of()), schedule, false);
  }

  static Routing tenant(String tenant) {
    return new Routing(tenant, null, null, null);
  }

  static Routing key(String deduplicationKey) {
    return new Routing(null, null, deduplicationKey, null);
  }

  static LeaseRequest upTo(int limit) {
    return new LeaseRequest("worker", limit, limit, Duration.ofMinutes(1), null, true);
  }

  static List<Settlement> completed(Claim claim) {
    return claim.lease().messages().stream()
        .map(
            message ->
                new Settlement(message.id(), claim.lease().token(), Outcome.Completed.INSTANCE))
        .toList();
  }

  /** Leases and completes until nothing is left to lease now; says how many that were. */
  static int drain(MemoryStore store, Channel channel) {
    int count = 0;
    Claim claim = store.lease(channel, upTo(100));
    while (claim.lease() != null || !claim.deadLettered().isEmpty()) {
      if (claim.lease() != null) {
        count += claim.lease().messages().size();
        store.settle(channel, completed(claim));
      }
      claim = store.lease(channel, upTo(100));
    }
    return count;
  }
}

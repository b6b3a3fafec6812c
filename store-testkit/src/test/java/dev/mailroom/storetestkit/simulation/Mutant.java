package dev.mailroom.storetestkit.simulation;

import dev.mailroom.messages.Envelope;
import dev.mailroom.messages.Message;
import dev.mailroom.messages.Routing;
import dev.mailroom.spi.Channel;
import dev.mailroom.spi.Claim;
import dev.mailroom.spi.Lease;
import dev.mailroom.spi.LeaseRequest;
import dev.mailroom.spi.NewMessage;
import dev.mailroom.spi.Store;
import dev.mailroom.storetestkit.ForwardingStore;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.UnaryOperator;

/** A store that breaks one rule, on purpose, and what such stores need to know for that. */
abstract class Mutant extends ForwardingStore {
  final Map<UUID, Lease> leases = new HashMap<>();

  /** The newest token under which each message was leased. */
  final Map<UUID, UUID> tokens = new HashMap<>();

  private final Map<UUID, Envelope> originals = new HashMap<>();

  Mutant(Store store) {
    super(store);
  }

  @Override
  public Claim lease(Channel channel, LeaseRequest request) {
    Claim claim = super.lease(channel, request);
    Lease leased = claim.lease();
    if (leased == null) {
      return claim;
    }
    Lease lease =
        new Lease(leased.token(), leased.leasedAt(), map(leased.messages(), this::undisguised));
    leases.put(lease.token(), lease);
    lease.messages().forEach(message -> tokens.put(message.id(), lease.token()));
    return new Claim(lease, claim.deadLettered(), claim.nextDue());
  }

  /** Stores the message under another routing; a claim returns it with its own. */
  final NewMessage disguised(NewMessage message, Routing routing) {
    Envelope own = message.envelope();
    originals.put(message.id(), own);
    Envelope envelope = new Envelope(own.id(), own.payload(), routing, own.trace(), own.headers());
    return new NewMessage(envelope, message.schedule(), message.strict());
  }

  private Message undisguised(Message message) {
    Envelope own = originals.getOrDefault(message.id(), message.envelope());
    return new Message(
        message.channel(), own, message.timing(), message.progress(), message.checkpoints());
  }

  static <T> List<T> map(List<T> items, UnaryOperator<T> change) {
    return items.stream().map(change).toList();
  }
}

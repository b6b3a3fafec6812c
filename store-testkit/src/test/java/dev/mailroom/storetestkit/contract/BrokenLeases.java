package dev.mailroom.storetestkit.contract;

import dev.mailroom.messages.LastError;
import dev.mailroom.messages.Message;
import dev.mailroom.options.Ordering;
import dev.mailroom.spi.AppendResult;
import dev.mailroom.spi.Channel;
import dev.mailroom.spi.Claim;
import dev.mailroom.spi.Lease;
import dev.mailroom.spi.LeaseRequest;
import dev.mailroom.spi.NewMessage;
import dev.mailroom.spi.Outcome;
import dev.mailroom.spi.Settlement;
import dev.mailroom.spi.Store;
import dev.mailroom.storetestkit.ForwardingStore;
import dev.mailroom.test.ManualTime;
import dev.mailroom.transactions.Transaction;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Stores whose claims, leases or reclaims break a rule. */
final class BrokenLeases {

  private BrokenLeases() {}

  /** Changes what is asked of a claim, or its answer. */
  private abstract static class Claims extends ForwardingStore {
    Claims(Store delegate) {
      super(delegate);
    }

    LeaseRequest request(LeaseRequest request) {
      return request;
    }

    Claim answer(Claim claim) {
      return claim;
    }

    @Override
    public Claim lease(Channel channel, LeaseRequest request) {
      return answer(super.lease(channel, request(request)));
    }

    static Claim with(Claim claim, Lease lease) {
      return new Claim(lease, claim.deadLettered(), claim.nextDue());
    }
  }

  /** Scans again after a dead-letter and leases the same messages twice. */
  static final class TakesTwice extends Claims {
    TakesTwice(Store delegate) {
      super(delegate);
    }

    @Override
    Claim answer(Claim claim) {
      Lease lease = claim.lease();
      if (lease == null || claim.deadLettered().isEmpty()) {
        return claim;
      }
      List<Message> messages = new ArrayList<>(lease.messages());
      messages.addAll(lease.messages());
      return with(claim, new Lease(lease.token(), lease.leasedAt(), messages));
    }
  }

  /** Forgets the final sort: messages come in whatever order. */
  static final class Unsorted extends Claims {
    Unsorted(Store delegate) {
      super(delegate);
    }

    @Override
    Claim answer(Claim claim) {
      Lease lease = claim.lease();
      if (lease == null) {
        return claim;
      }
      List<Message> messages = new ArrayList<>(lease.messages());
      Collections.reverse(messages);
      return with(claim, new Lease(lease.token(), lease.leasedAt(), messages));
    }
  }

  /** Orders by a timestamp instead of the sequence. */
  static final class OrderedByTimestamp extends Claims {
    OrderedByTimestamp(Store delegate) {
      super(delegate);
    }

    @Override
    Claim answer(Claim claim) {
      Lease lease = claim.lease();
      if (lease == null) {
        return claim;
      }
      List<Message> messages = new ArrayList<>(lease.messages());
      messages.sort(Comparator.comparing(message -> message.timing().receivedAt()));
      return with(claim, new Lease(lease.token(), lease.leasedAt(), messages));
    }
  }

  /** Ignores the tenant filter. */
  static final class TenantIgnored extends Claims {
    TenantIgnored(Store delegate) {
      super(delegate);
    }

    @Override
    LeaseRequest request(LeaseRequest r) {
      return new LeaseRequest(
          r.worker(), r.limit(), r.groupLimit(), r.duration(), null, r.poisonMessages());
    }
  }

  /** Leases twice as many as asked for, as a plan that repeats its sub-select does. */
  static final class LimitIgnored extends Claims {
    LimitIgnored(Store delegate) {
      super(delegate);
    }

    @Override
    LeaseRequest request(LeaseRequest r) {
      int more = Math.min(2 * r.limit(), 10_000);
      return new LeaseRequest(
          r.worker(), more, r.groupLimit(), r.duration(), r.tenant(), r.poisonMessages());
    }
  }

  /** Leases as many of a group as there are. */
  static final class GroupLimitIgnored extends Claims {
    GroupLimitIgnored(Store delegate) {
      super(delegate);
    }

    @Override
    LeaseRequest request(LeaseRequest r) {
      return new LeaseRequest(
          r.worker(), r.limit(), r.limit(), r.duration(), r.tenant(), r.poisonMessages());
    }
  }

  /** Hands messages that crashed to workers that only fill their buffer. */
  static final class SuspectsPrefetched extends Claims {
    SuspectsPrefetched(Store delegate) {
      super(delegate);
    }

    @Override
    LeaseRequest request(LeaseRequest r) {
      return new LeaseRequest(
          r.worker(), r.limit(), r.groupLimit(), r.duration(), r.tenant(), true);
    }
  }

  /** Measures the next due time by a worker's clock, which is a minute slow. */
  static final class DueByTheWorkersClock extends Claims {
    DueByTheWorkersClock(Store delegate) {
      super(delegate);
    }

    @Override
    Claim answer(Claim claim) {
      Duration nextDue = claim.nextDue();
      return new Claim(
          claim.lease(), claim.deadLettered(), nextDue == null ? null : nextDue.plusSeconds(60));
    }
  }

  /** Does not report dead-lettered messages. */
  static final class DeathsUnreported extends Claims {
    DeathsUnreported(Store delegate) {
      super(delegate);
    }

    @Override
    Claim answer(Claim claim) {
      return new Claim(claim.lease(), List.of(), claim.nextDue());
    }
  }

  /** Knows no groups: two workers hold one. */
  static final class GroupsIgnored extends ForwardingStore {
    GroupsIgnored(Store delegate) {
      super(delegate);
    }

    @Override
    public List<AppendResult> append(
        Channel channel, List<NewMessage> messages, @Nullable Transaction transaction) {
      Channel unordered = new Channel(channel.name(), Ordering.NONE, channel.policy());
      return super.append(unordered, messages, transaction);
    }

    @Override
    public Claim lease(Channel channel, LeaseRequest request) {
      return super.lease(new Channel(channel.name(), Ordering.NONE, channel.policy()), request);
    }
  }

  /** Gives a worker the same token at every claim. */
  static final class TokenPerWorker extends Tracking {
    private final Map<UUID, Set<UUID>> real = new ConcurrentHashMap<>();

    TokenPerWorker(Store delegate, ManualTime time) {
      super(delegate, time);
    }

    @Override
    public Claim lease(Channel channel, LeaseRequest request) {
      Claim claim = super.lease(channel, request);
      Lease lease = claim.lease();
      if (lease == null) {
        return claim;
      }
      UUID shared = UUID.nameUUIDFromBytes(request.worker().getBytes(StandardCharsets.UTF_8));
      real.computeIfAbsent(shared, key -> ConcurrentHashMap.newKeySet()).add(lease.token());
      Lease known = new Lease(shared, lease.leasedAt(), lease.messages());
      return new Claim(known, claim.deadLettered(), claim.nextDue());
    }

    @Override
    public Set<UUID> settle(Channel channel, List<Settlement> settlements) {
      return super.settle(
          channel,
          settlements.stream()
              .map(
                  each ->
                      new Settlement(
                          each.id(), tokens.getOrDefault(each.id(), each.token()), each.outcome()))
              .toList());
    }

    @Override
    public int release(Channel channel, Set<UUID> held) {
      int released = 0;
      for (UUID shared : held) {
        released += super.release(channel, real.getOrDefault(shared, Set.of()));
      }
      return released;
    }
  }

  /** Extends nothing and reports success. */
  static final class ExtendsNothing extends ForwardingStore {
    ExtendsNothing(Store delegate) {
      super(delegate);
    }

    @Override
    public Set<UUID> extend(Channel channel, Set<UUID> tokens, Duration duration) {
      return Set.of();
    }
  }

  /** Counts the attempt of a message that was given back. */
  static final class ReleaseBurnsAttempt extends Tracking {
    private static final Outcome RETRIED =
        new Outcome.Retried(Duration.ZERO, LastError.of("released", ""), Outcome.Counts.ATTEMPT);

    ReleaseBurnsAttempt(Store delegate, ManualTime time) {
      super(delegate, time);
    }

    @Override
    public int release(Channel channel, Set<UUID> held) {
      return held.stream()
          .filter(leases::containsKey)
          .mapToInt(token -> settleAll(channel, token, leases.get(token).messages(), RETRIED))
          .sum();
    }

    @Override
    public Set<UUID> settle(Channel channel, List<Settlement> settlements) {
      return super.settle(
          channel,
          settlements.stream()
              .map(
                  each ->
                      each.outcome() instanceof Outcome.Released
                          ? new Settlement(each.id(), each.token(), RETRIED)
                          : each)
              .toList());
    }
  }

  /** Gives expired leases back without counting a crash, so that a poison message never dies. */
  static final class CrashUncounted extends Tracking {
    CrashUncounted(Store delegate, ManualTime time) {
      super(delegate, time);
    }

    @Override
    public int reclaim(Channel channel, int limit) {
      return take(channel, true, Outcome.Released.INSTANCE);
    }
  }

  /** Takes leases that have not expired. */
  static final class ReclaimsLiveLeases extends Tracking {
    ReclaimsLiveLeases(Store delegate, ManualTime time) {
      super(delegate, time);
    }

    @Override
    public int reclaim(Channel channel, int limit) {
      return take(channel, false, Outcome.Released.INSTANCE);
    }
  }

  /** Drops the messages of expired leases. */
  static final class ReclaimDropsMessages extends Tracking {
    ReclaimDropsMessages(Store delegate, ManualTime time) {
      super(delegate, time);
    }

    @Override
    public int reclaim(Channel channel, int limit) {
      return take(channel, true, Outcome.Discarded.INSTANCE);
    }
  }

  /** Reclaims everything at once, whatever the limit. */
  static final class ReclaimLimitIgnored extends ForwardingStore {
    ReclaimLimitIgnored(Store delegate) {
      super(delegate);
    }

    @Override
    public int reclaim(Channel channel, int limit) {
      return super.reclaim(channel, limit < 1 || limit > 10_000 ? limit : 10_000);
    }
  }
}

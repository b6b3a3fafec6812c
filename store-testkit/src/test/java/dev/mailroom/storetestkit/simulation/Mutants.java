package dev.mailroom.storetestkit.simulation;

import dev.mailroom.messages.Due;
import dev.mailroom.messages.Message;
import dev.mailroom.messages.Routing;
import dev.mailroom.messages.Target;
import dev.mailroom.options.AfterDeadLetter;
import dev.mailroom.options.Ordering;
import dev.mailroom.spi.AppendResult;
import dev.mailroom.spi.Channel;
import dev.mailroom.spi.ChannelPolicy;
import dev.mailroom.spi.Claim;
import dev.mailroom.spi.Lease;
import dev.mailroom.spi.LeaseRequest;
import dev.mailroom.spi.NewMessage;
import dev.mailroom.spi.Outcome;
import dev.mailroom.spi.Settlement;
import dev.mailroom.spi.Store;
import dev.mailroom.test.ManualTime;
import dev.mailroom.transactions.Transaction;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/** Stores that are broken on purpose, each in one way. */
final class Mutants {

  private Mutants() {}

  /** Accepts outcomes with a stale token. */
  static final class SettlesWithoutFence extends Mutant {
    SettlesWithoutFence(Store store) {
      super(store);
    }

    @Override
    public Set<UUID> settle(Channel channel, List<Settlement> settlements) {
      return super.settle(channel, withNewestTokens(this, settlements));
    }
  }

  /** Reports a stale outcome as lost, but stores it. */
  static final class SettlesAndReportsLost extends Mutant {
    SettlesAndReportsLost(Store store) {
      super(store);
    }

    @Override
    public Set<UUID> settle(Channel channel, List<Settlement> settlements) {
      Set<UUID> stale = new HashSet<>();
      for (Settlement settlement : settlements) {
        if (!settlement.token().equals(tokens.get(settlement.id()))) {
          stale.add(settlement.id());
        }
      }
      stale.addAll(super.settle(channel, withNewestTokens(this, settlements)));
      return stale;
    }
  }

  private static List<Settlement> withNewestTokens(Mutant mutant, List<Settlement> settlements) {
    return Mutant.map(
        settlements,
        it ->
            new Settlement(it.id(), mutant.tokens.getOrDefault(it.id(), it.token()), it.outcome()));
  }

  /** Does not know of groups, so that two workers get the same one. */
  static final class ForgetsGroups extends Mutant {
    ForgetsGroups(Store store) {
      super(store);
    }

    @Override
    public List<AppendResult> append(
        Channel channel, List<NewMessage> messages, Transaction transaction) {
      Channel unordered = new Channel(channel.name(), Ordering.NONE, channel.policy());
      return super.append(unordered, messages, transaction);
    }
  }

  /** Gives the messages of a lease in the wrong order. */
  static final class ReversesBatches extends Mutant {
    ReversesBatches(Store store) {
      super(store);
    }

    @Override
    public Claim lease(Channel channel, LeaseRequest request) {
      Claim claim = super.lease(channel, request);
      Lease lease = claim.lease();
      if (lease == null) {
        return claim;
      }
      List<Message> reversed = new ArrayList<>(lease.messages());
      Collections.reverse(reversed);
      Lease wrong = new Lease(lease.token(), lease.leasedAt(), reversed);
      return new Claim(wrong, claim.deadLettered(), claim.nextDue());
    }
  }

  /** Completes a message that should be retried. */
  static final class CompletesRetries extends Mutant {
    CompletesRetries(Store store) {
      super(store);
    }

    @Override
    public Set<UUID> settle(Channel channel, List<Settlement> settlements) {
      return super.settle(
          channel,
          map(
              settlements,
              it ->
                  it.outcome() instanceof Outcome.Retried
                      ? new Settlement(it.id(), it.token(), Outcome.Completed.INSTANCE)
                      : it));
    }
  }

  /** Counts a failed attempt as a deferral, so that attempts never run out. */
  static final class GivesAttemptsBack extends Mutant {
    GivesAttemptsBack(Store store) {
      super(store);
    }

    @Override
    public Set<UUID> settle(Channel channel, List<Settlement> settlements) {
      return super.settle(channel, map(settlements, GivesAttemptsBack::deferred));
    }

    private static Settlement deferred(Settlement settlement) {
      return settlement.outcome() instanceof Outcome.Retried it
          ? new Settlement(
              settlement.id(),
              settlement.token(),
              new Outcome.Retried(it.delay(), it.error(), Outcome.Counts.DEFERRAL))
          : settlement;
    }
  }

  /** Loses the messages of reclaimed leases. */
  static final class LosesWhatItReclaims extends Mutant {
    LosesWhatItReclaims(Store store) {
      super(store);
    }

    @Override
    public int reclaim(Channel channel, int limit) {
      int count = super.reclaim(channel, limit);
      if (count > 0) {
        for (Lease lease : List.copyOf(leases.values())) {
          lease.messages().forEach(message -> forget(channel, message, lease.token()));
        }
      }
      return count;
    }

    private void forget(Channel channel, Message message, UUID token) {
      boolean crashed = tokens.get(message.id()).equals(token) && message.progress().crashes() > 0;
      if (crashed) {
        super.cancel(channel, Target.id(message.id()));
      }
    }
  }

  /** Treats expired leases as released. */
  static final class NeverCountsCrashes extends Mutant {
    private final ManualTime time;
    private final Map<UUID, Instant> ends = new HashMap<>();

    NeverCountsCrashes(Store store, ManualTime time) {
      super(store);
      this.time = time;
    }

    @Override
    public Claim lease(Channel channel, LeaseRequest request) {
      Claim claim = super.lease(channel, request);
      if (claim.lease() != null) {
        ends.put(claim.lease().token(), time.now().plus(request.duration()));
      }
      return claim;
    }

    @Override
    public Set<UUID> extend(Channel channel, Set<UUID> held, Duration duration) {
      held.forEach(token -> ends.put(token, time.now().plus(duration)));
      return super.extend(channel, held, duration);
    }

    @Override
    public int reclaim(Channel channel, int limit) {
      int count = 0;
      for (UUID token : List.copyOf(ends.keySet())) {
        if (ends.get(token).isBefore(time.now())) {
          ends.remove(token);
          count += super.release(channel, Set.of(token)) > 0 ? 1 : 0;
        }
      }
      return count;
    }
  }

  /**
   * Checks keys before the append, so that two messages of a batch with one key are both accepted.
   */
  static final class ChecksKeysBeforehand extends Mutant {
    private final Map<String, AppendResult> seen = new HashMap<>();

    ChecksKeysBeforehand(Store store) {
      super(store);
    }

    @Override
    public List<AppendResult> append(
        Channel channel, List<NewMessage> messages, Transaction transaction) {
      List<NewMessage> fresh = new ArrayList<>();
      messages.stream().filter(it -> !seen.containsKey(keyOf(it))).forEach(fresh::add);
      List<AppendResult> stored =
          fresh.isEmpty()
              ? List.of()
              : super.append(channel, map(fresh, this::withoutKey), transaction);
      List<AppendResult> results = new ArrayList<>();
      for (NewMessage message : messages) {
        int index = fresh.indexOf(message);
        results.add(index < 0 ? duplicate(message) : stored.get(index));
      }
      for (int i = 0; i < fresh.size(); i++) {
        if (fresh.get(i).envelope().routing().deduplicationKey() != null) {
          seen.put(keyOf(fresh.get(i)), stored.get(i));
        }
      }
      return results;
    }

    private AppendResult duplicate(NewMessage message) {
      AppendResult first = seen.get(keyOf(message));
      return new AppendResult(first.id(), false, first.acceptedAt());
    }

    private static String keyOf(NewMessage message) {
      return String.valueOf(message.envelope().routing().deduplicationKey());
    }

    private NewMessage withoutKey(NewMessage message) {
      Routing all = message.envelope().routing();
      return disguised(message, new Routing(null, all.groupKey(), null, all.collapseKey()));
    }
  }

  /** Stores at once what is written in a transaction. */
  static final class IgnoresTransactions extends Mutant {
    IgnoresTransactions(Store store) {
      super(store);
    }

    @Override
    public List<AppendResult> append(
        Channel channel, List<NewMessage> messages, Transaction transaction) {
      return super.append(channel, messages, null);
    }
  }

  /** Now and then gives messages to a second worker. */
  static final class LeasesTwice extends Mutant {
    private Lease former;
    private int claims;

    LeasesTwice(Store store) {
      super(store);
    }

    @Override
    public Claim lease(Channel channel, LeaseRequest request) {
      Claim claim = super.lease(channel, request);
      claims++;
      if (claim.lease() == null && former != null && claims % 5 == 0) {
        Lease again = new Lease(new UUID(claims, claims), former.leasedAt(), former.messages());
        return new Claim(again, claim.deadLettered(), claim.nextDue());
      }
      former = claim.lease() == null ? former : claim.lease();
      return claim;
    }
  }

  /** Goes on with a group whose head is dead on a parking channel. */
  static final class NeverParks extends Mutant {
    NeverParks(Store store) {
      super(store);
    }

    @Override
    public Claim lease(Channel channel, LeaseRequest request) {
      return super.lease(going(channel), request);
    }

    @Override
    public Set<UUID> settle(Channel channel, List<Settlement> settlements) {
      return super.settle(going(channel), settlements);
    }

    private static Channel going(Channel channel) {
      ChannelPolicy all = channel.policy();
      return new Channel(
          channel.name(),
          channel.ordering(),
          new ChannelPolicy(
              AfterDeadLetter.CONTINUE,
              all.crashes(),
              all.deduplicationWindow(),
              all.keepDeadLetters(),
              all.deadLetterLifetime(),
              all.history()));
    }
  }

  /** Makes everything visible at once. */
  static final class IgnoresDelays extends Mutant {
    IgnoresDelays(Store store) {
      super(store);
    }

    @Override
    public List<AppendResult> append(
        Channel channel, List<NewMessage> messages, Transaction transaction) {
      return super.append(channel, map(messages, IgnoresDelays::atOnce), transaction);
    }

    private static NewMessage atOnce(NewMessage message) {
      NewMessage.Schedule all = message.schedule();
      NewMessage.Schedule now = new NewMessage.Schedule(Due.NOW, all.lifetime(), all.receivedAt());
      return new NewMessage(message.envelope(), now, message.strict());
    }
  }

  /** Keeps what a newer message should have replaced. */
  static final class NeverCollapses extends Mutant {
    NeverCollapses(Store store) {
      super(store);
    }

    @Override
    public List<AppendResult> append(
        Channel channel, List<NewMessage> messages, Transaction transaction) {
      return super.append(channel, map(messages, this::apart), transaction);
    }

    private NewMessage apart(NewMessage message) {
      Routing all = message.envelope().routing();
      String own = all.collapseKey() == null ? null : message.id().toString();
      return disguised(
          message, new Routing(all.tenant(), all.groupKey(), all.deduplicationKey(), own));
    }
  }

  /** Never makes a retried message due. */
  static final class NeverRetries extends Mutant {
    NeverRetries(Store store) {
      super(store);
    }

    @Override
    public Set<UUID> settle(Channel channel, List<Settlement> settlements) {
      return super.settle(channel, map(settlements, NeverRetries::never));
    }

    private static Settlement never(Settlement settlement) {
      return settlement.outcome() instanceof Outcome.Retried it
          ? new Settlement(
              settlement.id(),
              settlement.token(),
              new Outcome.Retried(Duration.ofDays(10_000), it.error(), it.counts()))
          : settlement;
    }
  }
}

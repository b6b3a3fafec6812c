package dev.mailroom.storetestkit.contract;

import dev.mailroom.deadletters.DeadLetter;
import dev.mailroom.deadletters.DeadLetterFilter;
import dev.mailroom.deadletters.DeadLetterPage;
import dev.mailroom.errors.LeaseLostException;
import dev.mailroom.messages.Message;
import dev.mailroom.messages.Progress;
import dev.mailroom.spi.AppendResult;
import dev.mailroom.spi.Channel;
import dev.mailroom.spi.Checkpoint;
import dev.mailroom.spi.Claim;
import dev.mailroom.spi.Commit;
import dev.mailroom.spi.Lease;
import dev.mailroom.spi.LeaseRequest;
import dev.mailroom.spi.Migratable;
import dev.mailroom.spi.Purge;
import dev.mailroom.spi.Settlement;
import dev.mailroom.spi.Store;
import dev.mailroom.spi.Transactional;
import dev.mailroom.storetestkit.ForwardingStore;
import dev.mailroom.test.ManualTime;
import dev.mailroom.transactions.Transaction;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Stores whose settlements, commits, dead letters or purges break a rule. */
final class BrokenOutcomes {

  private BrokenOutcomes() {}

  /** Settles with any token. */
  static final class NoFence extends Tracking {
    NoFence(Store delegate, ManualTime time) {
      super(delegate, time);
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
  }

  /** Says that everything was settled. */
  static final class LossesUnreported extends ForwardingStore {
    LossesUnreported(Store delegate) {
      super(delegate);
    }

    @Override
    public Set<UUID> settle(Channel channel, List<Settlement> settlements) {
      super.settle(channel, settlements);
      return Set.of();
    }
  }

  /** Refuses outcomes of expired leases that are not reclaimed. */
  static final class ExpiredCannotSettle extends Tracking {
    ExpiredCannotSettle(Store delegate, ManualTime time) {
      super(delegate, time);
    }

    @Override
    public Set<UUID> settle(Channel channel, List<Settlement> settlements) {
      Set<UUID> lost = new HashSet<>();
      List<Settlement> held = new ArrayList<>();
      for (Settlement settlement : settlements) {
        if (expired(settlement.token())) {
          lost.add(settlement.id());
        } else {
          held.add(settlement);
        }
      }
      lost.addAll(super.settle(channel, held));
      return lost;
    }
  }

  /** Records checkpoints under any token. */
  static final class CheckpointUnfenced extends Tracking {
    CheckpointUnfenced(Store delegate, ManualTime time) {
      super(delegate, time);
    }

    @Override
    public void checkpoint(Channel channel, Checkpoint c) {
      UUID token = tokens.getOrDefault(c.id(), c.token());
      super.checkpoint(channel, new Checkpoint(c.id(), token, c.step(), c.outcome()));
    }
  }

  /** Commits step by step. */
  static final class CommitNotAtomic extends ForwardingStore {
    CommitNotAtomic(Store delegate) {
      super(delegate);
    }

    @Override
    public List<AppendResult> commit(Commit commit) {
      List<AppendResult> results = new ArrayList<>();
      commit
          .appends()
          .forEach(part -> results.addAll(append(part.channel(), part.messages(), null)));
      commit.cancels().forEach(part -> cancel(part.channel(), part.target()));
      super.commit(new Commit(List.of(), List.of(), List.of(), commit.state()));
      Set<UUID> lost = new HashSet<>();
      commit.settlements().forEach(part -> lost.addAll(settle(part.channel(), part.settlements())));
      if (!lost.isEmpty()) {
        throw new LeaseLostException(lost);
      }
      return results;
    }
  }

  /** Lets a redriven message go on counting where it died. */
  static final class RedriveKeepsAttempts extends ForwardingStore {
    private final Map<UUID, Integer> before = new ConcurrentHashMap<>();

    RedriveKeepsAttempts(Store delegate) {
      super(delegate);
    }

    @Override
    public int redrive(Channel channel, DeadLetterFilter filter, int limit) {
      for (DeadLetter letter : deadLetters(channel, filter, null, limit).letters()) {
        before.put(letter.id(), letter.message().progress().attempts());
      }
      return super.redrive(channel, filter, limit);
    }

    @Override
    public Claim lease(Channel channel, LeaseRequest request) {
      Claim claim = super.lease(channel, request);
      Lease lease = claim.lease();
      if (lease == null) {
        return claim;
      }
      List<Message> messages = lease.messages().stream().map(this::counted).toList();
      return new Claim(
          new Lease(lease.token(), lease.leasedAt(), messages),
          claim.deadLettered(),
          claim.nextDue());
    }

    private Message counted(Message m) {
      Progress p = m.progress();
      Progress counted =
          new Progress(
              p.sequence(),
              p.attempts() + before.getOrDefault(m.id(), 0),
              p.crashes(),
              p.deferrals(),
              p.parkedSince(),
              p.lastError());
      return new Message(m.channel(), m.envelope(), m.timing(), counted, m.checkpoints());
    }
  }

  /** Redrives and discards everything, whatever the filter. */
  static final class FilterIgnored extends ForwardingStore {
    FilterIgnored(Store delegate) {
      super(delegate);
    }

    @Override
    public int redrive(Channel channel, DeadLetterFilter filter, int limit) {
      return super.redrive(channel, DeadLetterFilter.all(), limit);
    }

    @Override
    public int discard(Channel channel, DeadLetterFilter filter, int limit) {
      return super.discard(channel, DeadLetterFilter.all(), limit);
    }
  }

  /** Pages by counting rows, so that it skips some when earlier ones are removed. */
  static final class PagesByOffset extends ForwardingStore {
    PagesByOffset(Store delegate) {
      super(delegate);
    }

    @Override
    public DeadLetterPage deadLetters(
        Channel channel, DeadLetterFilter filter, @Nullable String after, int limit) {
      DeadLetterPage all = super.deadLetters(channel, filter, null, 10_000);
      int count = all.letters().size();
      int from = Math.min(after == null ? 0 : Integer.parseInt(after), count);
      int to = Math.min(from + limit, count);
      String next = to < count ? String.valueOf(to) : null;
      return new DeadLetterPage(all.letters().subList(from, to), next, all.asOf());
    }
  }

  /** Purges everything in one call, whatever the limit. */
  static final class PurgeLimitIgnored extends ForwardingStore {
    PurgeLimitIgnored(Store delegate) {
      super(delegate);
    }

    @Override
    public int purge(Channel channel, Purge what, int limit) {
      return super.purge(channel, what, 10_000);
    }
  }

  /** Declares a capability that its author has not tested. */
  static final class UntestedCapability extends ForwardingStore implements Migratable {
    UntestedCapability(Store delegate) {
      super(delegate);
    }

    @Override
    public void migrate() {}

    @Override
    public void validate() {}
  }

  /** Has transactions of which outcomes are no part. */
  static class SettlesBesideTransaction extends ForwardingStore implements Transactional {
    SettlesBesideTransaction(Store delegate) {
      super(delegate);
    }

    @Override
    public OpenTransaction begin() {
      return ((Transactional) delegate()).begin();
    }

    @Override
    public Set<UUID> settle(
        Channel channel, List<Settlement> settlements, Transaction transaction) {
      return delegate().settle(channel, settlements);
    }
  }

  /** Says that everything was settled in the transaction. */
  static final class LossesInTransactionUnreported extends SettlesBesideTransaction {
    LossesInTransactionUnreported(Store delegate) {
      super(delegate);
    }

    @Override
    public Set<UUID> settle(
        Channel channel, List<Settlement> settlements, Transaction transaction) {
      ((Transactional) delegate()).settle(channel, settlements, transaction);
      return Set.of();
    }
  }
}

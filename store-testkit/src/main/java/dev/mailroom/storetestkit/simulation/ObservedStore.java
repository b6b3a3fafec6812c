package dev.mailroom.storetestkit.simulation;

import dev.mailroom.deadletters.DeadLetterFilter;
import dev.mailroom.deadletters.DeadLetterPage;
import dev.mailroom.messages.Due;
import dev.mailroom.messages.Target;
import dev.mailroom.spi.AppendResult;
import dev.mailroom.spi.Channel;
import dev.mailroom.spi.Claim;
import dev.mailroom.spi.LeaseRequest;
import dev.mailroom.spi.LeasingWriter;
import dev.mailroom.spi.NewMessage;
import dev.mailroom.spi.Settlement;
import dev.mailroom.spi.Store;
import dev.mailroom.storetestkit.ForwardingStore;
import dev.mailroom.transactions.Transaction;
import java.time.Duration;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Updates the model after each call that took effect, with its true result. */
class ObservedStore extends ForwardingStore {
  final SimulatedCluster cluster;
  private final StoreModel model;

  private ObservedStore(SimulatedCluster cluster, Store store) {
    super(store);
    this.cluster = cluster;
    this.model = cluster.model;
  }

  static Store of(SimulatedCluster cluster, Store store) {
    return store instanceof LeasingWriter writer
        ? new Leasing(cluster, store, writer)
        : new ObservedStore(cluster, store);
  }

  /** The same for a store that leases what it stores. */
  private static final class Leasing extends ObservedStore implements LeasingWriter {
    private final LeasingWriter writer;

    Leasing(SimulatedCluster cluster, Store store, LeasingWriter writer) {
      super(cluster, store);
      this.writer = writer;
    }

    @Override
    public LeasedAppend appendLeased(
        Channel channel, List<NewMessage> messages, LeaseRequest request) {
      long called = cluster.model.moment();
      LeasedAppend appended = observe(() -> writer.appendLeased(channel, messages, request));
      cluster.writes.appended(messages, appended.results(), null, called);
      cluster.leases.leasedOnAppend(request, appended.lease());
      return appended;
    }
  }

  final <T> T observe(Supplier<T> verb) {
    try {
      return verb.get();
    } catch (RuntimeException unexpected) {
      throw model.failure(
          Invariant.NO_UNEXPECTED_EXCEPTION, "the store threw " + unexpected, unexpected);
    }
  }

  @Override
  public List<AppendResult> append(
      Channel channel, List<NewMessage> messages, @Nullable Transaction transaction) {
    long called = model.moment();
    List<AppendResult> results = observe(() -> super.append(channel, messages, transaction));
    cluster.writes.appended(messages, results, transaction, called);
    return results;
  }

  @Override
  public Claim lease(Channel channel, LeaseRequest request) {
    Claim claim = observe(() -> super.lease(channel, request));
    cluster.leases.claimed(request, claim);
    cluster.lateCommits.claimed(request, claim);
    return claim;
  }

  @Override
  public Set<UUID> extend(Channel channel, Set<UUID> tokens, Duration duration) {
    Set<UUID> sorted = sorted(tokens);
    Set<UUID> lost = observe(() -> super.extend(channel, sorted, duration));
    cluster.leases.extended(sorted, duration, lost);
    return lost;
  }

  @Override
  public int release(Channel channel, Set<UUID> tokens) {
    Set<UUID> sorted = sorted(tokens);
    int count = observe(() -> super.release(channel, sorted));
    cluster.leases.released(sorted, count);
    return count;
  }

  /** The order of immutable sets differs from one virtual machine to the next. */
  private Set<UUID> sorted(Set<UUID> tokens) {
    return tokens.stream()
        .sorted(Comparator.comparingInt(token -> Objects.requireNonNull(model.lease(token)).number))
        .collect(LinkedHashSet::new, Set::add, Set::addAll);
  }

  @Override
  public int reclaim(Channel channel, int limit) {
    while (cluster.leases.anyExpiresNow()) {
      cluster.advance(Duration.ofMillis(1));
    }
    int count = observe(() -> super.reclaim(channel, limit));
    cluster.leases.reclaimed(count);
    return count;
  }

  @Override
  public Set<UUID> settle(Channel channel, List<Settlement> settlements) {
    Set<UUID> lost = observe(() -> super.settle(channel, settlements));
    cluster.leases.settled(settlements, lost);
    return lost;
  }

  @Override
  public boolean cancel(Channel channel, Target target) {
    boolean done = observe(() -> super.cancel(channel, target));
    cluster.writes.cancelled(find(target), done);
    return done;
  }

  @Override
  public boolean reschedule(Channel channel, Target target, Due due) {
    boolean done = observe(() -> super.reschedule(channel, target, due));
    cluster.writes.rescheduled(find(target), ((Due.After) due).delay(), done);
    return done;
  }

  private SimulatedMessage find(Target target) {
    return model.message(((Target.ById) target).id());
  }

  @Override
  public DeadLetterPage deadLetters(
      Channel channel, DeadLetterFilter filter, @Nullable String after, int limit) {
    DeadLetterPage page = observe(() -> super.deadLetters(channel, filter, after, limit));
    cluster.deadLetters.read(page);
    return page;
  }

  @Override
  public int redrive(Channel channel, DeadLetterFilter filter, int limit) {
    long called = model.moment();
    int count = observe(() -> super.redrive(channel, filter, limit));
    cluster.deadLetters.redriven(filter, limit, count, called);
    return count;
  }

  @Override
  public int discard(Channel channel, DeadLetterFilter filter, int limit) {
    int count = observe(() -> super.discard(channel, filter, limit));
    cluster.deadLetters.discarded(filter, limit, count);
    return count;
  }
}

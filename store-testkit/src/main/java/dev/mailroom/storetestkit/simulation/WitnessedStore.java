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

/** Tells the model about each verb that took effect, and what the answer was. */
class WitnessedStore extends ForwardingStore {
  final World world;
  private final Model model;

  private WitnessedStore(World world, Store store) {
    super(store);
    this.world = world;
    this.model = world.model;
  }

  static Store of(World world, Store store) {
    return store instanceof LeasingWriter writer
        ? new Leasing(world, store, writer)
        : new WitnessedStore(world, store);
  }

  /** The same for a store that leases what it stores. */
  private static final class Leasing extends WitnessedStore implements LeasingWriter {
    private final LeasingWriter writer;

    Leasing(World world, Store store, LeasingWriter writer) {
      super(world, store);
      this.writer = writer;
    }

    @Override
    public LeasedAppend appendLeased(
        Channel channel, List<NewMessage> messages, LeaseRequest request) {
      long called = world.model.moment();
      LeasedAppend arrival = witness(() -> writer.appendLeased(channel, messages, request));
      world.writes.appended(messages, arrival.results(), null, called);
      world.claims.arrived(request, arrival.lease());
      return arrival;
    }
  }

  final <T> T witness(Supplier<T> verb) {
    try {
      return verb.get();
    } catch (RuntimeException unexpected) {
      throw model.failure(Invariant.NO_SURPRISE, "the store threw " + unexpected, unexpected);
    }
  }

  @Override
  public List<AppendResult> append(
      Channel channel, List<NewMessage> messages, @Nullable Transaction transaction) {
    long called = model.moment();
    List<AppendResult> results = witness(() -> super.append(channel, messages, transaction));
    world.writes.appended(messages, results, transaction, called);
    return results;
  }

  @Override
  public Claim lease(Channel channel, LeaseRequest request) {
    Claim claim = witness(() -> super.lease(channel, request));
    world.claims.claimed(request, claim);
    world.lateCommits.claimed(request, claim);
    return claim;
  }

  @Override
  public Set<UUID> extend(Channel channel, Set<UUID> tokens, Duration duration) {
    Set<UUID> sorted = sorted(tokens);
    Set<UUID> lost = witness(() -> super.extend(channel, sorted, duration));
    world.claims.extended(sorted, duration, lost);
    return lost;
  }

  @Override
  public int release(Channel channel, Set<UUID> tokens) {
    Set<UUID> sorted = sorted(tokens);
    int count = witness(() -> super.release(channel, sorted));
    world.claims.released(sorted, count);
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
    while (world.claims.someEndsNow()) {
      world.advance(Duration.ofMillis(1));
    }
    int count = witness(() -> super.reclaim(channel, limit));
    world.claims.reclaimed(count);
    return count;
  }

  @Override
  public Set<UUID> settle(Channel channel, List<Settlement> settlements) {
    Set<UUID> lost = witness(() -> super.settle(channel, settlements));
    world.claims.settled(settlements, lost);
    return lost;
  }

  @Override
  public boolean cancel(Channel channel, Target target) {
    boolean done = witness(() -> super.cancel(channel, target));
    world.writes.cancelled(find(target), done);
    return done;
  }

  @Override
  public boolean reschedule(Channel channel, Target target, Due due) {
    boolean done = witness(() -> super.reschedule(channel, target, due));
    world.writes.moved(find(target), ((Due.After) due).delay(), done);
    return done;
  }

  private SimulatedMessage find(Target target) {
    return model.message(((Target.ById) target).id());
  }

  @Override
  public DeadLetterPage deadLetters(
      Channel channel, DeadLetterFilter filter, @Nullable String after, int limit) {
    DeadLetterPage page = witness(() -> super.deadLetters(channel, filter, after, limit));
    world.graves.read(page);
    return page;
  }

  @Override
  public int redrive(Channel channel, DeadLetterFilter filter, int limit) {
    long called = model.moment();
    int count = witness(() -> super.redrive(channel, filter, limit));
    world.graves.redriven(filter, limit, count, called);
    return count;
  }

  @Override
  public int discard(Channel channel, DeadLetterFilter filter, int limit) {
    int count = witness(() -> super.discard(channel, filter, limit));
    world.graves.discarded(filter, limit, count);
    return count;
  }
}

package dev.mailroom.storetestkit.simulation;

import dev.mailroom.deadletters.DeadLetterFilter;
import dev.mailroom.deadletters.DeadLetterPage;
import dev.mailroom.errors.TransientStoreException;
import dev.mailroom.messages.Due;
import dev.mailroom.messages.Target;
import dev.mailroom.spi.AppendResult;
import dev.mailroom.spi.Channel;
import dev.mailroom.spi.Claim;
import dev.mailroom.spi.LeaseRequest;
import dev.mailroom.spi.LeasingWriter;
import dev.mailroom.spi.NewMessage;
import dev.mailroom.spi.Purge;
import dev.mailroom.spi.Settlement;
import dev.mailroom.spi.Store;
import dev.mailroom.storetestkit.ForwardingStore;
import dev.mailroom.transactions.Transaction;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The store as one process sees it: over a faulty network. */
class FaultyStore extends ForwardingStore {
  private final SimulatedCluster cluster;
  private final SimulatedProcess process;

  private FaultyStore(SimulatedCluster cluster, SimulatedProcess process, Store store) {
    super(store);
    this.cluster = cluster;
    this.process = process;
  }

  static Store of(SimulatedCluster cluster, SimulatedProcess process, Store store) {
    return store instanceof LeasingWriter writer
        ? new Leasing(cluster, process, store, writer)
        : new FaultyStore(cluster, process, store);
  }

  /** The same for a store that leases what it stores. */
  private static final class Leasing extends FaultyStore implements LeasingWriter {
    private final LeasingWriter writer;

    Leasing(SimulatedCluster cluster, SimulatedProcess process, Store store, LeasingWriter writer) {
      super(cluster, process, store);
      this.writer = writer;
    }

    @Override
    public LeasedAppend appendLeased(
        Channel channel, List<NewMessage> messages, LeaseRequest request) {
      return call("append", () -> writer.appendLeased(channel, messages, request));
    }
  }

  final <T> T call(String verb, Supplier<T> action) {
    process.requireAlive();
    Fault fault = cluster.plan.onCall();
    if (fault == null) {
      return action.get();
    }
    cluster.model.note(fault + " in " + verb + " of " + process.name);
    T answer =
        switch (fault) {
          case BEFORE_COMMIT -> throw new TransientStoreException("simulated: nothing was done");
          case AFTER_COMMIT -> {
            var unused = action.get();
            throw process.die();
          }
          case LOST_REPLY -> {
            var unused = action.get();
            throw new TransientStoreException("simulated: the reply was lost");
          }
          case DUPLICATE_DELIVERY -> twice(verb, action);
          default -> slowly(action);
        };
    process
        .requireAlive(); // it may have died meanwhile; what it had asked for was done all the same
    return answer;
  }

  private <T> T twice(String verb, Supplier<T> action) {
    T first = action.get();
    if (!verb.equals("append")) {
      cluster.interleave(); // a repeated append comes at once: its keys must not be taken meanwhile
    }
    T second = action.get();
    return cluster.random.nextBoolean() ? first : second;
  }

  private <T> T slowly(Supplier<T> action) {
    if (cluster.random.nextBoolean()) {
      cluster.advanceRandomly();
      return action.get();
    }
    T answer = action.get();
    cluster.advanceRandomly();
    return answer;
  }

  @Override
  public List<AppendResult> append(
      Channel channel, List<NewMessage> messages, @Nullable Transaction transaction) {
    return call("append", () -> super.append(channel, messages, transaction));
  }

  @Override
  public Claim lease(Channel channel, LeaseRequest request) {
    return call("lease", () -> super.lease(channel, request));
  }

  @Override
  public Set<UUID> extend(Channel channel, Set<UUID> tokens, Duration duration) {
    return call("extend", () -> super.extend(channel, tokens, duration));
  }

  @Override
  public int release(Channel channel, Set<UUID> tokens) {
    return call("release", () -> super.release(channel, tokens));
  }

  @Override
  public int reclaim(Channel channel, int limit) {
    return call("reclaim", () -> super.reclaim(channel, limit));
  }

  @Override
  public Set<UUID> settle(Channel channel, List<Settlement> settlements) {
    return call("settle", () -> super.settle(channel, settlements));
  }

  @Override
  public boolean cancel(Channel channel, Target target) {
    return call("cancel", () -> super.cancel(channel, target));
  }

  @Override
  public boolean reschedule(Channel channel, Target target, Due due) {
    return call("reschedule", () -> super.reschedule(channel, target, due));
  }

  @Override
  public DeadLetterPage deadLetters(
      Channel channel, DeadLetterFilter filter, @Nullable String after, int limit) {
    return call("deadLetters", () -> super.deadLetters(channel, filter, after, limit));
  }

  @Override
  public int redrive(Channel channel, DeadLetterFilter filter, int limit) {
    return call("redrive", () -> super.redrive(channel, filter, limit));
  }

  @Override
  public int discard(Channel channel, DeadLetterFilter filter, int limit) {
    return call("discard", () -> super.discard(channel, filter, limit));
  }

  @Override
  public int purge(Channel channel, Purge what, int limit) {
    return call("purge", () -> super.purge(channel, what, limit));
  }
}

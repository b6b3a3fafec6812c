package dev.mailroom.engine;

import dev.mailroom.errors.TransientStoreException;
import dev.mailroom.inspection.ChannelCounts;
import dev.mailroom.inspection.DeduplicationEntry;
import dev.mailroom.inspection.InspectedMessage;
import dev.mailroom.inspection.MessageFilter;
import dev.mailroom.inspection.MessagePage;
import dev.mailroom.inspection.StateEntry;
import dev.mailroom.messages.Target;
import dev.mailroom.spi.AppendResult;
import dev.mailroom.spi.Channel;
import dev.mailroom.spi.Checkpoint;
import dev.mailroom.spi.Claim;
import dev.mailroom.spi.Inspectable;
import dev.mailroom.spi.LeaseRequest;
import dev.mailroom.spi.NewMessage;
import dev.mailroom.spi.Purge;
import dev.mailroom.spi.Settlement;
import dev.mailroom.spi.Store;
import dev.mailroom.storetestkit.ForwardingStore;
import dev.mailroom.transactions.Transaction;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/** A store whose verbs can be made to fail, before or after they took effect, and are counted. */
final class FailingStore extends ForwardingStore implements Inspectable {

  enum Verb {
    APPEND,
    LEASE,
    EXTEND,
    RELEASE,
    RECLAIM,
    SETTLE,
    CHECKPOINT,
    PURGE,
    COUNTS
  }

  /** How the next calls of a verb fail. */
  private record Fault(
      AtomicInteger left, boolean afterwards, Supplier<? extends RuntimeException> error) {}

  private final Map<Verb, Fault> faults = new EnumMap<>(Verb.class);
  private final Map<Verb, Integer> calls = new EnumMap<>(Verb.class);
  private final List<String> purges = new ArrayList<>();

  FailingStore(Store delegate) {
    super(delegate);
  }

  /** The next calls of the verb fail for a moment, before they take effect. */
  void fail(Verb verb, int times) {
    fail(verb, times, () -> new TransientStoreException("The store is down."));
  }

  /** The next calls of the verb fail in this way, before they take effect. */
  synchronized void fail(Verb verb, int times, Supplier<? extends RuntimeException> error) {
    faults.put(verb, new Fault(new AtomicInteger(times), false, error));
  }

  /** The next calls of the verb take effect, but their answer is lost. */
  synchronized void loseAnswer(Verb verb, int times) {
    faults.put(
        verb,
        new Fault(new AtomicInteger(times), true, () -> new TransientStoreException("No answer.")));
  }

  /** Every call of the verb fails until {@link #heal}. */
  void breakDown(Verb... verbs) {
    for (Verb verb : verbs) {
      fail(verb, Integer.MAX_VALUE);
    }
  }

  synchronized void heal() {
    faults.clear();
  }

  synchronized int calls(Verb verb) {
    return calls.getOrDefault(verb, 0);
  }

  /** Which channel was purged of what, with which limit, since this was asked last. */
  synchronized List<String> purges() {
    List<String> since = List.copyOf(purges);
    purges.clear();
    return since;
  }

  private synchronized Runnable called(Verb verb) {
    calls.merge(verb, 1, Integer::sum);
    Fault failing = faults.get(verb);
    if (failing == null || failing.left().getAndDecrement() <= 0) {
      return () -> {};
    }
    if (!failing.afterwards()) {
      throw failing.error().get();
    }
    return () -> {
      throw failing.error().get();
    };
  }

  private <T> T call(Verb verb, Supplier<T> action) {
    Runnable afterwards = called(verb);
    T answer = action.get();
    afterwards.run();
    return answer;
  }

  @Override
  public List<AppendResult> append(
      Channel channel, List<NewMessage> messages, Transaction transaction) {
    return call(Verb.APPEND, () -> super.append(channel, messages, transaction));
  }

  @Override
  public Claim lease(Channel channel, LeaseRequest request) {
    return call(Verb.LEASE, () -> super.lease(channel, request));
  }

  @Override
  public Set<UUID> extend(Channel channel, Set<UUID> tokens, Duration duration) {
    return call(Verb.EXTEND, () -> super.extend(channel, tokens, duration));
  }

  @Override
  public int release(Channel channel, Set<UUID> tokens) {
    return call(Verb.RELEASE, () -> super.release(channel, tokens));
  }

  @Override
  public int reclaim(Channel channel, int limit) {
    return call(Verb.RECLAIM, () -> super.reclaim(channel, limit));
  }

  @Override
  public Set<UUID> settle(Channel channel, List<Settlement> settlements) {
    return call(Verb.SETTLE, () -> super.settle(channel, settlements));
  }

  @Override
  public void checkpoint(Channel channel, Checkpoint checkpoint) {
    call(
        Verb.CHECKPOINT,
        () -> {
          super.checkpoint(channel, checkpoint);
          return checkpoint;
        });
  }

  @Override
  public int purge(Channel channel, Purge what, int limit) {
    synchronized (this) {
      purges.add(channel.name() + " " + what + " " + limit);
    }
    return call(Verb.PURGE, () -> super.purge(channel, what, limit));
  }

  @Override
  public ChannelCounts counts(Channel channel) {
    return call(Verb.COUNTS, () -> ((Inspectable) delegate()).counts(channel));
  }

  @Override
  public InspectedMessage find(Channel channel, Target target) {
    return ((Inspectable) delegate()).find(channel, target);
  }

  @Override
  public DeduplicationEntry key(Channel channel, Target.ByKey key) {
    return ((Inspectable) delegate()).key(channel, key);
  }

  @Override
  public MessagePage search(Channel channel, MessageFilter filter, String after, int limit) {
    return ((Inspectable) delegate()).search(channel, filter, after, limit);
  }

  @Override
  public List<StateEntry> states(String type, String after, int limit) {
    return ((Inspectable) delegate()).states(type, after, limit);
  }
}

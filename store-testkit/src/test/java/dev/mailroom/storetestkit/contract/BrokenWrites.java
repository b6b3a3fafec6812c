package dev.mailroom.storetestkit.contract;

import static dev.mailroom.storetestkit.TestMessages.message;

import dev.mailroom.messages.Due;
import dev.mailroom.messages.Envelope;
import dev.mailroom.messages.Routing;
import dev.mailroom.messages.Target;
import dev.mailroom.spi.AppendResult;
import dev.mailroom.spi.Channel;
import dev.mailroom.spi.NewMessage;
import dev.mailroom.spi.Store;
import dev.mailroom.spi.WakeUps;
import dev.mailroom.storetestkit.ForwardingStore;
import dev.mailroom.test.ManualTime;
import dev.mailroom.transactions.Transaction;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArraySet;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Stores whose appends break a rule. */
final class BrokenWrites {

  private BrokenWrites() {}

  /** Writes a batch message by message. */
  static final class BatchNotAtomic extends ForwardingStore {
    BatchNotAtomic(Store delegate) {
      super(delegate);
    }

    @Override
    public List<AppendResult> append(
        Channel channel, List<NewMessage> messages, @Nullable Transaction transaction) {
      List<AppendResult> results = new ArrayList<>();
      for (NewMessage message : messages) {
        results.addAll(super.append(channel, List.of(message), transaction));
      }
      return results;
    }
  }

  /** Answers in the order in which the database returned the rows. */
  static final class ResultsOutOfOrder extends ForwardingStore {
    ResultsOutOfOrder(Store delegate) {
      super(delegate);
    }

    @Override
    public List<AppendResult> append(
        Channel channel, List<NewMessage> messages, @Nullable Transaction transaction) {
      return super.append(channel, messages, transaction).stream()
          .sorted(Comparator.comparing(AppendResult::accepted).thenComparing(AppendResult::id))
          .toList();
    }
  }

  /** Checks keys apart from the append, so that a rollback leaves them behind. */
  static final class DeduplicationApart extends ForwardingStore {
    private final Map<String, AppendResult> known = new ConcurrentHashMap<>();

    DeduplicationApart(Store delegate) {
      super(delegate);
    }

    @Override
    public List<AppendResult> append(
        Channel channel, List<NewMessage> messages, @Nullable Transaction transaction) {
      List<AppendResult> results = new ArrayList<>();
      for (NewMessage message : messages) {
        results.add(appendOne(channel, message, transaction));
      }
      return results;
    }

    private AppendResult appendOne(
        Channel channel, NewMessage message, @Nullable Transaction transaction) {
      Routing routing = message.envelope().routing();
      String key = routing.deduplicationKey();
      String scope = channel.name() + "/" + routing.tenant() + "/" + key;
      AppendResult first = known.get(scope);
      if (key != null && first != null) {
        return new AppendResult(first.id(), false, first.acceptedAt());
      }
      AppendResult result = super.append(channel, List.of(message), transaction).get(0);
      known.put(scope, result);
      return result;
    }
  }

  /** Looks for the key, then writes: two that look at once both write. */
  static final class CheckThenAct extends ForwardingStore {
    private final Map<String, AppendResult> known = new ConcurrentHashMap<>();
    private final AtomicInteger between = new AtomicInteger();

    CheckThenAct(Store delegate) {
      super(delegate);
    }

    @Override
    public List<AppendResult> append(
        Channel channel, List<NewMessage> messages, @Nullable Transaction transaction) {
      return messages.stream().map(message -> appendOne(channel, message, transaction)).toList();
    }

    private AppendResult appendOne(
        Channel channel, NewMessage message, @Nullable Transaction transaction) {
      String key = message.envelope().routing().deduplicationKey();
      if (key == null) {
        return super.append(channel, List.of(message), transaction).get(0);
      }
      String scope = channel.name() + "/" + key;
      AppendResult first = known.get(scope);
      if (first != null) {
        return new AppendResult(first.id(), false, first.acceptedAt());
      }
      between.incrementAndGet();
      for (int i = 0; i < 1_000_000 && between.get() < 2; i++) {
        Thread.onSpinWait();
      }
      AppendResult result = super.append(channel, List.of(keyless(message)), transaction).get(0);
      known.put(scope, result);
      between.decrementAndGet();
      return result;
    }

    private static NewMessage keyless(NewMessage message) {
      Envelope e = message.envelope();
      Routing r = e.routing();
      return new NewMessage(
          new Envelope(
              e.id(),
              e.payload(),
              new Routing(r.tenant(), r.groupKey(), null, r.collapseKey()),
              e.trace(),
              e.headers()),
          message.schedule(),
          message.strict());
    }
  }

  /** Answers a duplicate with the id of the message that was not stored. */
  static final class DuplicateNamesItself extends ForwardingStore {
    DuplicateNamesItself(Store delegate) {
      super(delegate);
    }

    @Override
    public List<AppendResult> append(
        Channel channel, List<NewMessage> messages, @Nullable Transaction transaction) {
      List<AppendResult> results = super.append(channel, messages, transaction);
      List<AppendResult> changed = new ArrayList<>();
      for (int i = 0; i < results.size(); i++) {
        AppendResult result = results.get(i);
        changed.add(new AppendResult(messages.get(i).id(), result.accepted(), result.acceptedAt()));
      }
      return changed;
    }
  }

  /** Compares keys without regard to case, as a database's collation does. */
  static final class KeysIgnoreCase extends ForwardingStore {
    KeysIgnoreCase(Store delegate) {
      super(delegate);
    }

    @Override
    public List<AppendResult> append(
        Channel channel, List<NewMessage> messages, @Nullable Transaction transaction) {
      return super.append(
          channel, messages.stream().map(KeysIgnoreCase::lower).toList(), transaction);
    }

    private static NewMessage lower(NewMessage message) {
      Envelope e = message.envelope();
      Routing r = e.routing();
      String key = r.deduplicationKey();
      Routing lower =
          new Routing(
              r.tenant(),
              r.groupKey(),
              key == null ? null : key.toLowerCase(Locale.ROOT),
              r.collapseKey());
      return new NewMessage(
          new Envelope(e.id(), e.payload(), lower, e.trace(), e.headers()),
          message.schedule(),
          message.strict());
    }
  }

  /** Collapses before it knows that the message is a duplicate. */
  static final class DuplicateCollapses extends ForwardingStore {
    DuplicateCollapses(Store delegate) {
      super(delegate);
    }

    @Override
    public List<AppendResult> append(
        Channel channel, List<NewMessage> messages, @Nullable Transaction transaction) {
      List<AppendResult> results = super.append(channel, messages, transaction);
      for (int i = 0; i < results.size(); i++) {
        Routing routing = messages.get(i).envelope().routing();
        if (!results.get(i).accepted() && routing.collapseKey() != null) {
          collapse(channel, routing);
        }
      }
      return results;
    }

    private void collapse(Channel channel, Routing routing) {
      NewMessage collapsing = message("collapsing").collapse(routing.collapseKey()).build();
      super.append(channel, List.of(collapsing), null);
      super.cancel(channel, Target.id(collapsing.id()));
    }
  }

  /** Sends the wake-up at the append, before the commit. */
  static final class WakesBeforeCommit extends ForwardingStore implements WakeUps {
    private final Set<Consumer<String>> listeners = new CopyOnWriteArraySet<>();

    WakesBeforeCommit(Store delegate) {
      super(delegate);
    }

    @Override
    public List<AppendResult> append(
        Channel channel, List<NewMessage> messages, @Nullable Transaction transaction) {
      List<AppendResult> results = super.append(channel, messages, transaction);
      listeners.forEach(listener -> listener.accept(channel.name()));
      return results;
    }

    @Override
    public Subscription subscribe(Consumer<String> listener) {
      listeners.add(listener);
      return () -> listeners.remove(listener);
    }
  }

  /** Cancels what a worker holds. */
  static final class CancelsLeased extends Tracking {
    CancelsLeased(Store delegate, ManualTime time) {
      super(delegate, time);
    }

    @Override
    public boolean cancel(Channel channel, Target target) {
      return super.cancel(channel, target)
          || (target instanceof Target.ById byId && cancelLeased(channel, byId.id()));
    }

    private boolean cancelLeased(Channel channel, UUID id) {
      UUID token = tokens.get(id);
      return token != null
          && settleAll(channel, token, List.of(id), OutcomeSamples.discarded()) == 1;
    }
  }

  /** Ignores force: a leased message cannot be cancelled or rescheduled. */
  static final class ForceIgnored extends ForwardingStore {
    ForceIgnored(Store delegate) {
      super(delegate);
    }

    @Override
    public boolean cancel(Channel channel, Target target) {
      return super.cancel(channel, gentle(target));
    }

    @Override
    public boolean reschedule(Channel channel, Target target, Due due) {
      return super.reschedule(channel, gentle(target), due);
    }

    private static Target gentle(Target target) {
      return target instanceof Target.ById byId ? Target.id(byId.id()) : target;
    }
  }

  /** Counts an attempt when a forced reschedule takes a leased message. */
  static final class ForceBurnsAttempt extends Tracking {
    ForceBurnsAttempt(Store delegate, ManualTime time) {
      super(delegate, time);
    }

    @Override
    public boolean reschedule(Channel channel, Target target, Due due) {
      if (target instanceof Target.ById byId && tokens.containsKey(byId.id())) {
        settleAll(
            channel,
            tokens.get(byId.id()),
            List.of(byId.id()),
            OutcomeSamples.retried(Duration.ofHours(1)));
      }
      return super.reschedule(channel, target, due);
    }
  }
}

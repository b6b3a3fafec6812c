package dev.mailroom.processes;

import dev.mailroom.Delivery;
import dev.mailroom.Result;
import dev.mailroom.errors.UnknownContractException;
import dev.mailroom.errors.VersionConflictException;
import dev.mailroom.inspection.StateKey;
import dev.mailroom.inspection.StoredState;
import dev.mailroom.messages.Contract;
import dev.mailroom.messages.Outgoing;
import dev.mailroom.messages.Payload;
import dev.mailroom.messages.Target;
import dev.mailroom.messages.WriteOptions;
import dev.mailroom.spi.AtomicCompletion;
import dev.mailroom.spi.Commit;
import dev.mailroom.spi.FacadeContext;
import dev.mailroom.spi.HandlerOutcome;
import dev.mailroom.spi.MessageChannel;
import dev.mailroom.spi.StateChange;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Collects messages under their keys. The open batch of a key is a state; every message is added to
 * it in the commit that completes the message. The message that fills the batch, or the deadline
 * message that was written with its first one, writes it as one message to the inbox of batches.
 */
final class AggregateCollector {
  private static final Contract DEADLINE = new Contract("mailroom.aggregate-deadline", 1);

  /** The most bytes of one batch, unless a message can hold fewer. */
  static final int MAX_BYTES = 512 * 1024;

  private static final Duration CONFLICT_DELAY = Duration.ofMillis(100);

  private final String name;
  private final String batches;
  private final int count;
  private final Duration within;

  AggregateCollector(String name, String batches, int count, Duration within) {
    this.name = name;
    this.batches = batches;
    this.count = count;
    this.within = within;
  }

  Result handle(FacadeContext context, Delivery<Payload> delivery) {
    MessageChannel channel = context.channel(name);
    StateKey key = stateKey(delivery);
    StoredState stored = channel.state(key);
    long version = stored == null ? 0 : stored.version();
    try {
      AggregateBatch before = stored == null ? null : AggregateBatch.decode(stored.value());
      if (!delivery.message().contract().equals(DEADLINE)) {
        collect(context, delivery, new StateChange(key, version, null), before);
      } else if (before != null && before.deadline().equals(delivery.id())) {
        List<Commit.Appends> batch = List.of(batch(context, delivery, List.of(before)));
        AtomicCompletion.of(delivery)
            .complete(new Commit(List.of(), batch, List.of(), new StateChange(key, version, null)));
      }
      return Result.success();
    } catch (UnknownContractException newer) {
      return Result.of(new HandlerOutcome.Parked(String.valueOf(newer.getMessage())));
    } catch (VersionConflictException conflict) {
      return Result.retryLater(
          CONFLICT_DELAY); // only if the lease was lost and another worker got the message
    }
  }

  private void collect(
      FacadeContext context,
      Delivery<Payload> delivery,
      StateChange removal,
      @Nullable AggregateBatch before) {
    MessageChannel channel = context.channel(name);
    int most = Math.min(MAX_BYTES, context.channel(batches).maximumPayload());
    List<AggregateBatch> full = new ArrayList<>();
    boolean first = before == null;
    AggregateBatch begun =
        new AggregateBatch(delivery.leasedAt(), channel.newMessageId(), List.of());
    AggregateBatch next = (before == null ? begun : before).with(delivery.payload());
    Payload encoded = next.encode();
    if (before != null && encoded.bytes().length > most) {
      full.add(before);
      first = true;
      next = begun.with(delivery.payload());
      encoded = next.encode();
    }
    boolean complete = next.payloads().size() >= count || encoded.bytes().length >= most;
    if (complete) {
      full.add(next);
    }
    List<Commit.Appends> appends = new ArrayList<>();
    if (!full.isEmpty()) {
      appends.add(batch(context, delivery, full));
    }
    if (first && !complete) {
      appends.add(channel.prepare(List.of(deadline(delivery, next))));
    }
    List<Commit.Cancel> cancels =
        before == null || full.isEmpty()
            ? List.of()
            : List.of(channel.removal(Target.id(before.deadline())));
    StateChange change =
        new StateChange(removal.key(), removal.expectedVersion(), complete ? null : encoded);
    AtomicCompletion.of(delivery).complete(new Commit(List.of(), appends, cancels, change));
  }

  private Commit.Appends batch(
      FacadeContext context, Delivery<Payload> delivery, List<AggregateBatch> full) {
    List<Outgoing> outgoing = new ArrayList<>();
    for (AggregateBatch each : full) {
      outgoing.add(new Outgoing(each.encode(), grouped(delivery).build()));
    }
    return context.channel(batches).prepare(outgoing);
  }

  private Outgoing deadline(Delivery<Payload> delivery, AggregateBatch batch) {
    Payload empty = new Payload(DEADLINE, "text/plain", new byte[0]);
    return new Outgoing(empty, grouped(delivery).messageId(batch.deadline()).delay(within).build());
  }

  private static WriteOptions.Builder grouped(Delivery<Payload> delivery) {
    return WriteOptions.builder()
        .groupKey(keyOf(delivery))
        .tenant(delivery.message().routing().tenant());
  }

  static String keyOf(Delivery<Payload> delivery) {
    return Objects.requireNonNull(delivery.groupKey(), "group key of an ordered inbox");
  }

  private StateKey stateKey(Delivery<Payload> delivery) {
    String tenant = delivery.message().routing().tenant();
    return new StateKey(StateType.ofAggregation(name, tenant), keyOf(delivery));
  }
}

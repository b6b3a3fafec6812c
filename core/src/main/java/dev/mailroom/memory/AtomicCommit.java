package dev.mailroom.memory;

import dev.mailroom.errors.LeaseLostException;
import dev.mailroom.spi.AppendResult;
import dev.mailroom.spi.Channel;
import dev.mailroom.spi.ChannelPolicy;
import dev.mailroom.spi.Commit;
import dev.mailroom.spi.Outcome;
import dev.mailroom.spi.Settlement;
import dev.mailroom.spi.StateChange;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * One attempt at a commit, with all its channels and the states locked.
 *
 * <p>All checks come first: leases, the state's version, then the staging of the appends. The
 * appends may reuse ids and keys that the settlements and cancels release, so these are hidden
 * before and restored if the staging fails. The remaining steps cannot fail.
 */
final class AtomicCommit {
  private final Commit commit;
  private final List<AppendRequest> requests;
  private final Map<String, MemoryChannel> channels;
  private final MemoryStates states;
  private final Capacity capacity;

  private final Map<MessageEntry, Settled> settled = new LinkedHashMap<>();
  private final Map<MessageEntry, Cancelled> cancelled = new LinkedHashMap<>();
  private final Map<MessageEntry, MemoryChannel> hiddenIds = new LinkedHashMap<>();
  private final List<DeduplicationRecord> hiddenKeys = new ArrayList<>();
  private final List<StagedAppend> stagedAppends = new ArrayList<>();

  private record Settled(MemoryChannel channel, ChannelPolicy policy, Outcome outcome) {
    boolean ends() {
      return outcome instanceof Outcome.Completed || outcome instanceof Outcome.Discarded;
    }

    boolean removes() {
      return ends() && (outcome instanceof Outcome.Discarded || policy.history() == null);
    }

    boolean returns() {
      return outcome instanceof Outcome.Retried || outcome instanceof Outcome.Released;
    }
  }

  private record Cancelled(MemoryChannel channel, @Nullable DeduplicationRecord record) {}

  AtomicCommit(
      Commit commit,
      List<AppendRequest> requests,
      Map<String, MemoryChannel> channels,
      MemoryStates states,
      Capacity capacity) {
    this.commit = commit;
    this.requests = requests;
    this.channels = channels;
    this.states = states;
    this.capacity = capacity;
  }

  /** Applies the commit, or throws, or returns the open transaction that must end first. */
  Optional<MemoryTransaction> run(Instant now) {
    resolveSettlements();
    StateChange change = commit.state();
    if (change != null) {
      states.requireVersion(change);
    }
    resolveCancels();
    int credit = hide();
    capacity.release(credit); // removed rows make room for new ones
    boolean done = false;
    try {
      MemoryTransaction blocker = stage(now);
      if (blocker != null) {
        return Optional.of(blocker);
      }
      capacity.reserve(change == null ? 0 : states.growth(change));
      done = true;
    } finally {
      capacity.restore(credit);
      if (!done) {
        undo();
      }
    }
    apply(change, now);
    return Optional.empty();
  }

  /** The results of the appends, in order. */
  List<AppendResult> results() {
    List<AppendResult> results = new ArrayList<>();
    stagedAppends.forEach(stagedAppend -> results.addAll(stagedAppend.results()));
    return List.copyOf(results);
  }

  private void resolveSettlements() {
    Set<UUID> lost = new HashSet<>();
    for (Commit.Settlements part : commit.settlements()) {
      MemoryChannel channel = channel(part.channel());
      for (Settlement settlement : part.settlements()) {
        MessageEntry entry = channel.held(settlement.id(), settlement.token());
        Settled how = new Settled(channel, part.channel().policy(), settlement.outcome());
        if (entry == null || settled.putIfAbsent(entry, how) != null) {
          lost.add(settlement.id());
        }
      }
    }
    if (!lost.isEmpty()) {
      throw new LeaseLostException(lost);
    }
  }

  /** Finds the messages that can be cancelled after the settlements. */
  private void resolveCancels() {
    for (Commit.Cancel cancel : commit.cancels()) {
      MemoryChannel channel = channel(cancel.channel());
      MessageEntry entry = new TargetOperations(channel).find(cancel.target());
      if (entry != null) {
        Settled how = settled.get(entry);
        if (how == null ? TargetOperations.canTake(entry, cancel.target()) : how.returns()) {
          cancelled.putIfAbsent(entry, new Cancelled(channel, Deduplication.of(entry)));
        }
      }
    }
  }

  /** Hides ids and keys that are released; returns the number of rows that will be removed. */
  private int hide() {
    int rows = 0;
    for (Map.Entry<MessageEntry, Settled> each : settled.entrySet()) {
      Settled how = each.getValue();
      if (how.ends()) {
        hideId(how.channel(), each.getKey());
        rows += how.removes() ? 1 : 0;
      }
    }
    for (Map.Entry<MessageEntry, Cancelled> each : cancelled.entrySet()) {
      hideId(each.getValue().channel(), each.getKey());
      DeduplicationRecord record = each.getValue().record();
      if (record != null && record.tenantQueue.records.remove(record.key, record)) {
        hiddenKeys.add(record);
      }
      rows++;
    }
    return rows;
  }

  private void hideId(MemoryChannel channel, MessageEntry entry) {
    channel.byId.remove(entry.id(), entry);
    hiddenIds.put(entry, channel);
  }

  private void undo() {
    for (int i = stagedAppends.size() - 1; i >= 0; i--) {
      stagedAppends.get(i).unstage();
    }
    hiddenIds.forEach((entry, channel) -> channel.byId.put(entry.id(), entry));
    hiddenKeys.forEach(record -> record.tenantQueue.records.put(record.key, record));
  }

  private @Nullable MemoryTransaction stage(Instant now) {
    for (AppendRequest request : requests) {
      StagedAppend stagedAppend =
          new StagedAppend(channel(request.channel), request, capacity, null);
      MemoryTransaction blocker = stagedAppend.stage(now);
      if (blocker != null) {
        return blocker;
      }
      stagedAppends.add(stagedAppend);
    }
    return null;
  }

  private void apply(@Nullable StateChange change, Instant now) {
    settled.forEach(
        (entry, how) ->
            new MemorySettlement(how.channel(), how.policy(), now).apply(entry, how.outcome()));
    cancelled.forEach(
        (entry, how) -> new TargetOperations(how.channel()).cancel(entry, how.record()));
    for (StagedAppend stagedAppend : stagedAppends) {
      stagedAppend.publish(now);
    }
    if (change != null) {
      states.apply(change);
    }
  }

  private MemoryChannel channel(Channel channel) {
    return Objects.requireNonNull(channels.get(channel.name()));
  }
}

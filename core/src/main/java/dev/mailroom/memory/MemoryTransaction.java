package dev.mailroom.memory;

import dev.mailroom.errors.LeaseLostException;
import dev.mailroom.spi.ChannelPolicy;
import dev.mailroom.spi.Settlement;
import dev.mailroom.spi.Transactional.OpenTransaction;
import dev.mailroom.time.TimeSource;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Appends and outcomes that become visible together. Until then appends only block other writers of
 * the same ids and keys; the sequence is assigned at the commit, so that the order is that of
 * commits. Outcomes lock nothing: the commit checks the leases again, and rolls back if one is
 * lost.
 */
final class MemoryTransaction implements OpenTransaction {
  private final MemoryStore store;
  private final TimeSource time;
  private final WakeUpListeners listeners;
  private final List<StagedAppend> stagedAppends = new ArrayList<>();
  private final Map<MessageEntry, Settled> settled = new LinkedHashMap<>();
  private final List<Runnable> afterCommit = new ArrayList<>();
  private final CountDownLatch end = new CountDownLatch(1);
  private boolean ended;

  MemoryTransaction(MemoryStore store, TimeSource time, WakeUpListeners listeners) {
    this.store = store;
    this.time = time;
    this.listeners = listeners;
  }

  private record Settled(MemoryChannel channel, ChannelPolicy policy, Settlement settlement) {
    @Nullable MessageEntry held() {
      return channel.held(settlement.id(), settlement.token());
    }
  }

  boolean isOf(MemoryStore other) {
    return store == other;
  }

  void requireOpen() {
    if (ended) {
      throw new IllegalStateException(
          "The transaction has ended: begin another one for further writes.");
    }
  }

  /** Adds an append that its end publishes or removes. */
  void add(StagedAppend stagedAppend) {
    stagedAppends.add(stagedAppend);
  }

  /** Adds outcomes, under the channel's lock; returns the ids whose lease is lost. */
  Set<UUID> settle(MemoryChannel rows, ChannelPolicy policy, List<Settlement> settlements) {
    Set<UUID> lost = new HashSet<>();
    for (Settlement settlement : settlements) {
      Settled next = new Settled(rows, policy, settlement);
      MessageEntry entry = next.held();
      if (entry == null || settled.putIfAbsent(entry, next) != null) {
        lost.add(settlement.id());
      }
    }
    return lost;
  }

  /** Waits for its end; false after the timeout. */
  boolean awaitEnd(long nanos) throws InterruptedException {
    return end.await(nanos, TimeUnit.NANOSECONDS);
  }

  @Override
  public void afterCommit(Runnable action) {
    requireOpen();
    afterCommit.add(action);
  }

  @Override
  public void commit() {
    requireOpen();
    end(this::publish);
    afterCommit.forEach(WakeUpListeners::run);
  }

  @Override
  public void close() {
    if (!ended) {
      end(this::unstage);
    }
  }

  /** Waiting writers continue only when the outcome is visible to them. */
  private void end(Runnable outcome) {
    ended = true;
    try {
      new LockedChannels(channels(), listeners).run(outcome);
    } finally {
      end.countDown();
    }
  }

  private void publish() {
    Set<UUID> lost = new HashSet<>();
    settled.forEach(
        (entry, each) -> {
          if (each.held() != entry) {
            lost.add(each.settlement().id());
          }
        });
    if (!lost.isEmpty()) {
      unstage();
      throw new LeaseLostException(lost);
    }
    Instant now = time.now();
    for (Settled each : settled.values()) {
      new MemorySettlement(each.channel(), each.policy(), now).settle(List.of(each.settlement()));
    }
    for (StagedAppend stagedAppend : stagedAppends) {
      stagedAppend.publish(now);
    }
  }

  private void unstage() {
    for (int i = stagedAppends.size() - 1; i >= 0; i--) {
      stagedAppends.get(i).unstage();
    }
  }

  private Set<MemoryChannel> channels() {
    Set<MemoryChannel> channels = new HashSet<>();
    for (StagedAppend stagedAppend : stagedAppends) {
      channels.add(stagedAppend.channel());
    }
    settled.values().forEach(each -> channels.add(each.channel()));
    return channels;
  }
}

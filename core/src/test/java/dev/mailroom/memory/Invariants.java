package dev.mailroom.memory;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** What holds for a channel between any two verbs. */
final class Invariants {
  private final MemoryChannel channel;
  private final Set<TenantQueue> tenantQueues = new HashSet<>();
  private final Map<MessageGroup, Integer> leased = new HashMap<>();

  private Invariants(MemoryChannel channel) {
    this.channel = channel;
  }

  static void check(MemoryChannel channel) {
    new Invariants(channel).check();
  }

  private void check() {
    Map<TenantQueue, Integer> members = new HashMap<>();
    Map<EntryState, Integer> state = new HashMap<>();
    for (MessageEntry entry : channel.byId.values()) {
      check(entry);
      members.merge(entry.tenantQueue, 1, Integer::sum);
      state.merge(entry.state, 1, Integer::sum);
      tenantQueues.add(entry.tenantQueue);
      if (entry.group != null) {
        leased.merge(entry.group, entry.lease == null ? 0 : 1, Integer::sum);
      }
    }
    MessageCounts counts = channel.scheduler.counts;
    assertThat(counts.ready).isEqualTo(state.getOrDefault(EntryState.READY, 0).longValue());
    assertThat(counts.scheduled).isEqualTo(state.getOrDefault(EntryState.SCHEDULED, 0).longValue());
    assertThat(counts.leased).isEqualTo(state.getOrDefault(EntryState.LEASED, 0).longValue());
    assertThat(counts.dead).isEqualTo(state.getOrDefault(EntryState.DEAD, 0).longValue());
    assertThat(readyAges()).isEqualTo(counts.ready);
    leased.forEach(this::check);
    for (TenantQueue tenantQueue : tenantQueues) {
      assertThat(channel.tenantQueues.find(tenantQueue.tenant)).isSameAs(tenantQueue);
      assertThat(tenantQueue.members).isEqualTo(members.get(tenantQueue) + records(tenantQueue));
      assertThat(leased.keySet()).containsAll(tenantQueue.groups.values());
    }
  }

  private static int records(TenantQueue tenantQueue) {
    int count = 0;
    for (DeduplicationRecord record : tenantQueue.records.values()) {
      count += record.replaced == null ? 1 : 2;
    }
    return count;
  }

  private void check(MessageEntry entry) {
    boolean inLine =
        entry.list == entry.tenantQueue.ready || entry.list == entry.tenantQueue.poison;
    assertThat(inLine).isEqualTo(entry.state == EntryState.READY && entry.group == null);
    if (inLine) {
      assertThat((Object) entry.list).isSameAs(entry.tenantQueue.queueFor(entry));
    }
    assertThat(entry.timer != null).isEqualTo(entry.state == EntryState.SCHEDULED);
    assertThat(entry.lease != null).isEqualTo(entry.state == EntryState.LEASED);
    assertThat(entry.deadLetter != null).isEqualTo(entry.state == EntryState.DEAD);
    assertThat(entry.attempts).isNotNegative();
    if (entry.group != null) {
      assertThat((Object) entry.list).isSameAs(entry.group.entries);
      assertThat(entry.tenantQueue.groups.get(entry.groupKey)).isSameAs(entry.group);
    }
    if (entry.lease != null) {
      assertThat(entry.lease.entries[entry.leaseSlot]).isSameAs(entry);
      assertThat(channel.leases.find(entry.lease.token)).isSameAs(entry.lease);
    }
  }

  private void check(MessageGroup group, int held) {
    assertThat(group.leased).isEqualTo(held);
    MessageEntry head = group.entries.first();
    boolean open = held == 0 && head.state == EntryState.READY;
    assertThat((Object) group.list).isSameAs(open ? group.tenantQueue.queueFor(head) : null);
    for (MessageEntry entry = head; group.entries.after(entry) != null; ) {
      MessageEntry next = group.entries.after(entry);
      assertThat(next.sequence).isGreaterThan(entry.sequence);
      entry = next;
    }
  }

  private long readyAges() {
    long count = 0;
    for (MessageEntry entry = channel.scheduler.oldestReady(); entry != null; entry = entry.newer) {
      count++;
    }
    return count;
  }
}

package dev.mailroom.memory;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** What holds for a channel between any two verbs. */
final class Invariants {
  private final MemoryChannel channel;
  private final Set<Lane> lanes = new HashSet<>();
  private final Map<Group, Integer> leased = new HashMap<>();

  private Invariants(MemoryChannel channel) {
    this.channel = channel;
  }

  static void check(MemoryChannel channel) {
    new Invariants(channel).check();
  }

  private void check() {
    Map<Lane, Integer> members = new HashMap<>();
    Map<Standing, Integer> standing = new HashMap<>();
    for (Entry entry : channel.byId.values()) {
      check(entry);
      members.merge(entry.lane, 1, Integer::sum);
      standing.merge(entry.standing, 1, Integer::sum);
      lanes.add(entry.lane);
      if (entry.group != null) {
        leased.merge(entry.group, entry.lease == null ? 0 : 1, Integer::sum);
      }
    }
    Census census = channel.placement.census;
    assertThat(census.ready).isEqualTo(standing.getOrDefault(Standing.READY, 0).longValue());
    assertThat(census.scheduled)
        .isEqualTo(standing.getOrDefault(Standing.SCHEDULED, 0).longValue());
    assertThat(census.leased).isEqualTo(standing.getOrDefault(Standing.LEASED, 0).longValue());
    assertThat(census.dead).isEqualTo(standing.getOrDefault(Standing.DEAD, 0).longValue());
    assertThat(readyAges()).isEqualTo(census.ready);
    leased.forEach(this::check);
    for (Lane lane : lanes) {
      assertThat(channel.lanes.find(lane.tenant)).isSameAs(lane);
      assertThat(lane.members).isEqualTo(members.get(lane) + records(lane));
      assertThat(leased.keySet()).containsAll(lane.groups.values());
    }
  }

  private static int records(Lane lane) {
    int count = 0;
    for (DeduplicationRecord record : lane.records.values()) {
      count += record.replaced == null ? 1 : 2;
    }
    return count;
  }

  private void check(Entry entry) {
    boolean inLine = entry.chain == entry.lane.ready || entry.chain == entry.lane.suspects;
    assertThat(inLine).isEqualTo(entry.standing == Standing.READY && entry.group == null);
    if (inLine) {
      assertThat((Object) entry.chain).isSameAs(entry.lane.lineFor(entry));
    }
    assertThat(entry.alarm != null).isEqualTo(entry.standing == Standing.SCHEDULED);
    assertThat(entry.lease != null).isEqualTo(entry.standing == Standing.LEASED);
    assertThat(entry.death != null).isEqualTo(entry.standing == Standing.DEAD);
    assertThat(entry.attempts).isNotNegative();
    if (entry.group != null) {
      assertThat((Object) entry.chain).isSameAs(entry.group.entries);
      assertThat(entry.lane.groups.get(entry.groupKey)).isSameAs(entry.group);
    }
    if (entry.lease != null) {
      assertThat(entry.lease.entries[entry.leaseSlot]).isSameAs(entry);
      assertThat(channel.leases.find(entry.lease.token)).isSameAs(entry.lease);
    }
  }

  private void check(Group group, int held) {
    assertThat(group.leased).isEqualTo(held);
    Entry head = group.entries.first();
    boolean open = held == 0 && head.standing == Standing.READY;
    assertThat((Object) group.chain).isSameAs(open ? group.lane.lineFor(head) : null);
    for (Entry entry = head; group.entries.after(entry) != null; ) {
      Entry next = group.entries.after(entry);
      assertThat(next.sequence).isGreaterThan(entry.sequence);
      entry = next;
    }
  }

  private long readyAges() {
    long count = 0;
    for (Entry entry = channel.placement.oldestReady(); entry != null; entry = entry.newer) {
      count++;
    }
    return count;
  }
}

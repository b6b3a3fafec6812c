package dev.mailroom.memory;

import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What one tenant has in one channel: two lines to claim from, and the keys that are scoped by
 * tenant. Messages without a tenant share a lane.
 */
final class Lane {
  final @Nullable String tenant;

  /** Messages and groups that can be leased together with others. */
  final Chain<Node> ready;

  /** Messages that have crashed a worker, and groups headed by one: leased alone. */
  final Chain<Node> suspects;

  final Map<String, Group> groups = new HashMap<>();
  final Map<String, DeduplicationRecord> records = new HashMap<>();
  private final Map<String, Set<Entry>> collapsible = new HashMap<>();

  /** Messages and deduplication records that refer to this lane. */
  int members;

  Lane(@Nullable String tenant, Chain<Chain<Node>> readyLanes, Chain<Chain<Node>> suspectLanes) {
    this.tenant = tenant;
    this.ready = new Chain<>(readyLanes);
    this.suspects = new Chain<>(suspectLanes);
  }

  /** The line for a message, or for a group with this head. */
  Chain<Node> lineFor(Entry head) {
    return head.isSuspect() ? suspects : ready;
  }

  /** Remembers a free message by its collapse key. */
  void addCollapsible(Entry entry) {
    String key = entry.envelope.routing().collapseKey();
    if (key != null) {
      collapsible.computeIfAbsent(key, k -> new LinkedHashSet<>(2)).add(entry);
    }
  }

  void removeCollapsible(Entry entry) {
    String key = entry.envelope.routing().collapseKey();
    if (key == null) {
      return;
    }
    Set<Entry> entries = collapsible.get(key);
    if (entries != null && entries.remove(entry) && entries.isEmpty()) {
      collapsible.remove(key);
    }
  }

  /** The free messages with this collapse key; a copy. */
  List<Entry> collapsible(String key) {
    Set<Entry> entries = collapsible.get(key);
    return entries == null ? List.of() : List.copyOf(entries);
  }
}

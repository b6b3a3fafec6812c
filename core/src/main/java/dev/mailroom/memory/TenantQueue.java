package dev.mailroom.memory;

import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The data of one tenant in one channel: two queues to claim from, and the keys that are scoped by
 * tenant. Messages without a tenant share one.
 */
final class TenantQueue {
  final @Nullable String tenant;

  /** Messages and groups that can be leased together with others. */
  final IntrusiveList<ListNode> ready;

  /** Messages that have crashed a worker, and groups headed by one: leased alone. */
  final IntrusiveList<ListNode> poison;

  final Map<String, MessageGroup> groups = new HashMap<>();
  final Map<String, DeduplicationRecord> records = new HashMap<>();
  private final Map<String, Set<MessageEntry>> collapsible = new HashMap<>();

  /** Messages and deduplication records that refer to it. */
  int members;

  TenantQueue(
      @Nullable String tenant,
      IntrusiveList<IntrusiveList<ListNode>> readyQueues,
      IntrusiveList<IntrusiveList<ListNode>> poisonQueues) {
    this.tenant = tenant;
    this.ready = new IntrusiveList<>(readyQueues);
    this.poison = new IntrusiveList<>(poisonQueues);
  }

  /** The queue for a message, or for a group with this head. */
  IntrusiveList<ListNode> queueFor(MessageEntry head) {
    return head.isPoison() ? poison : ready;
  }

  /** Indexes a waiting message by its collapse key. */
  void addCollapsible(MessageEntry entry) {
    String key = entry.envelope.routing().collapseKey();
    if (key != null) {
      collapsible.computeIfAbsent(key, k -> new LinkedHashSet<>(2)).add(entry);
    }
  }

  void removeCollapsible(MessageEntry entry) {
    String key = entry.envelope.routing().collapseKey();
    if (key == null) {
      return;
    }
    Set<MessageEntry> entries = collapsible.get(key);
    if (entries != null && entries.remove(entry) && entries.isEmpty()) {
      collapsible.remove(key);
    }
  }

  /** The waiting messages with this collapse key; a copy. */
  List<MessageEntry> collapsible(String key) {
    Set<MessageEntry> entries = collapsible.get(key);
    return entries == null ? List.of() : List.copyOf(entries);
  }
}

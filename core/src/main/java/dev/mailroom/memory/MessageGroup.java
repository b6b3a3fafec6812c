package dev.mailroom.memory;

/**
 * The messages of one tenant and group key, in sequence order. It exists while it has messages.
 *
 * <p>It is in its tenant's queue while its head can be leased. Its head can be a message that waits
 * for a retry, or a dead letter for which the group was parked; then the group is blocked until
 * that message is finished.
 */
final class MessageGroup extends ListNode {
  final TenantQueue tenantQueue;
  final String key;
  final IntrusiveList<MessageEntry> entries = new IntrusiveList<>(null);

  /** How many of its messages are leased; always under one lease. */
  int leased;

  MessageGroup(TenantQueue tenantQueue, String key) {
    this.tenantQueue = tenantQueue;
    this.key = key;
  }
}

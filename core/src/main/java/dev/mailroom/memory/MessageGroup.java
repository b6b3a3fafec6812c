package dev.mailroom.memory;

/**
 * The messages of one lane that go one after another, in sequence order. It exists while it has
 * messages.
 *
 * <p>Its links place it in its lane's line while its head can be leased. Its head can be a message
 * that waits for a retry, or a dead letter for which the group was parked; then the group stands
 * nowhere until that message moves on.
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

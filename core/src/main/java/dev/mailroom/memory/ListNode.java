package dev.mailroom.memory;

import org.jspecify.annotations.Nullable;

/**
 * What can stand in one {@link IntrusiveList} at a time. It carries its own links, so leaving is
 * O(1).
 */
abstract class ListNode {
  @Nullable ListNode previous;
  @Nullable ListNode next;
  @Nullable IntrusiveList<?> list;

  /** Leaves its chain, if it stands in one. */
  final void unlink() {
    if (list != null) {
      list.remove(this);
    }
  }
}

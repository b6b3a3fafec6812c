package dev.mailroom.memory;

import org.jspecify.annotations.Nullable;

/** An element of at most one {@link IntrusiveList}. Has its own links, so unlinking is O(1). */
abstract class ListNode {
  @Nullable ListNode previous;
  @Nullable ListNode next;
  @Nullable IntrusiveList<?> list;

  /** Removes it from its list, if it is in one. */
  final void unlink() {
    if (list != null) {
      list.remove(this);
    }
  }
}

package dev.mailroom.memory;

import org.jspecify.annotations.Nullable;

/**
 * A doubly linked list whose links live in its nodes: nothing is allocated per element and an
 * element leaves from anywhere in O(1), so that a cancelled message leaves no tombstone behind.
 *
 * <p>A list is itself a node. One with a {@code rotation} is an element of it exactly while it is
 * not empty, so that a round robin over the rotation never meets an empty list.
 */
final class IntrusiveList<T extends ListNode> extends ListNode {
  private final @Nullable IntrusiveList<IntrusiveList<T>> rotation;
  private @Nullable T first;
  private @Nullable T last;

  IntrusiveList(@Nullable IntrusiveList<IntrusiveList<T>> rotation) {
    this.rotation = rotation;
  }

  @Nullable T first() {
    return first;
  }

  @SuppressWarnings("unchecked") // only a T gets in
  @Nullable T after(T node) {
    return (T) node.next;
  }

  void addLast(T node) {
    node.list = this;
    node.previous = last;
    if (last == null) {
      first = node;
      if (rotation != null) {
        rotation.addLast(this);
      }
    } else {
      last.next = node;
    }
    last = node;
  }

  @SuppressWarnings("unchecked") // only a T gets in, so its neighbours are Ts
  void remove(ListNode node) {
    T before = (T) node.previous;
    T behind = (T) node.next;
    if (before == null) {
      first = behind;
    } else {
      before.next = behind;
    }
    if (behind == null) {
      last = before;
    } else {
      behind.previous = before;
    }
    node.previous = null;
    node.next = null;
    node.list = null;
    if (first == null && rotation != null) {
      rotation.remove(this);
    }
  }

  /** Moves the node to the tail. */
  void moveToLast(T node) {
    if (node != last) {
      remove(node);
      addLast(node);
    }
  }
}

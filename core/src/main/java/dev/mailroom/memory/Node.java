package dev.mailroom.memory;

import org.jspecify.annotations.Nullable;

/** What can stand in one {@link Chain} at a time. It carries its own links, so leaving is O(1). */
abstract class Node {
  @Nullable Node previous;
  @Nullable Node next;
  @Nullable Chain<?> chain;

  /** Leaves its chain, if it stands in one. */
  final void leaveChain() {
    if (chain != null) {
      chain.remove(this);
    }
  }
}

package dev.mailroom.memory;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The ready messages of a channel in the order in which they became due, so that the age of the
 * oldest is known at once, also if it waits behind another of its group.
 *
 * <p>A message that returns from a lease has been due for longer than newer messages: it is added
 * to the front if it is older than the front, and otherwise to the back. That is exact for first
 * attempts and approximate for retries.
 */
final class ReadyAges {
  private @Nullable MessageEntry oldest;
  private @Nullable MessageEntry newest;

  @Nullable MessageEntry oldest() {
    return oldest;
  }

  void add(MessageEntry entry) {
    MessageEntry front = oldest;
    if (front == null) {
      oldest = entry;
      newest = entry;
    } else if (entry.timing.visibleAt().isBefore(front.timing.visibleAt())) {
      entry.newer = front;
      front.older = entry;
      oldest = entry;
    } else {
      MessageEntry back = Objects.requireNonNull(newest);
      entry.older = back;
      back.newer = entry;
      newest = entry;
    }
  }

  void remove(MessageEntry entry) {
    MessageEntry before = entry.older;
    MessageEntry behind = entry.newer;
    if (before == null) {
      oldest = behind;
    } else {
      before.newer = behind;
    }
    if (behind == null) {
      newest = before;
    } else {
      behind.older = before;
    }
    entry.older = null;
    entry.newer = null;
  }
}

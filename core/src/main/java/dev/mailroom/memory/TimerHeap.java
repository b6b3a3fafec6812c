package dev.mailroom.memory;

import java.time.Instant;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Timers ordered by time, then by number: a binary heap whose elements know their slot. Adding the
 * latest timer (the usual case: now plus a fixed delay) is O(1); other additions and removals are
 * O(log n).
 */
final class TimerHeap<T> {
  private static final int INITIAL = 16;

  private @Nullable Timer<?>[] heap = new Timer<?>[INITIAL];
  private int size;

  /** An element, and the handle to remove it. */
  static final class Timer<T> {
    final Instant at;
    final T item;
    private final long number;
    private int slot;

    private Timer(Instant at, long number, T item) {
      this.at = at;
      this.number = number;
      this.item = item;
    }

    boolean isDue(Instant now) {
      return !at.isAfter(now);
    }

    private boolean isBefore(Timer<?> other) {
      int order = at.compareTo(other.at);
      return order < 0 || (order == 0 && number < other.number);
    }
  }

  Timer<T> add(Instant at, long number, T item) {
    Timer<T> timer = new Timer<>(at, number, item);
    if (size == heap.length) {
      heap = Arrays.copyOf(heap, size * 2);
    }
    rise(size++, timer);
    return timer;
  }

  @Nullable Timer<T> first() {
    return at(0);
  }

  /** The first timer that is due, or null. */
  @Nullable Timer<T> firstDue(Instant now) {
    Timer<T> first = at(0);
    return first != null && first.isDue(now) ? first : null;
  }

  void remove(Timer<T> timer) {
    int hole = timer.slot;
    Timer<T> moved = at(--size);
    heap[size] = null;
    if (moved == null || moved == timer) {
      return;
    }
    if (hole > 0 && moved.isBefore(present((hole - 1) / 2))) {
      rise(hole, moved);
    } else {
      sink(hole, moved);
    }
  }

  int size() {
    return size;
  }

  private void rise(int from, Timer<T> timer) {
    int slot = from;
    while (slot > 0) {
      int parent = (slot - 1) / 2;
      Timer<T> above = present(parent);
      if (!timer.isBefore(above)) {
        break;
      }
      put(slot, above);
      slot = parent;
    }
    put(slot, timer);
  }

  private void sink(int from, Timer<T> timer) {
    int slot = from;
    while (2 * slot + 1 < size) {
      int child = 2 * slot + 1;
      if (child + 1 < size && present(child + 1).isBefore(present(child))) {
        child++;
      }
      Timer<T> below = present(child);
      if (!below.isBefore(timer)) {
        break;
      }
      put(slot, below);
      slot = child;
    }
    put(slot, timer);
  }

  private void put(int slot, Timer<T> timer) {
    heap[slot] = timer;
    timer.slot = slot;
  }

  private Timer<T> present(int slot) {
    return Objects.requireNonNull(at(slot));
  }

  @SuppressWarnings("unchecked") // only timers of T are added
  private @Nullable Timer<T> at(int slot) {
    return (Timer<T>) heap[slot];
  }
}

package dev.mailroom.memory;

import java.time.Instant;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Things in the order of their time, then of a number: a binary heap whose elements know their
 * slot. Adding what is later than everything else (the usual case: now plus a fixed delay) is O(1);
 * adding and removing anything else is O(log n), and what is removed is gone at once.
 */
final class Timeline<T> {
  private static final int INITIAL = 16;

  private @Nullable Alarm<?>[] heap = new Alarm<?>[INITIAL];
  private int size;

  /** One thing on a timeline, and the handle to take it off again. */
  static final class Alarm<T> {
    final Instant at;
    final T item;
    private final long number;
    private int slot;

    private Alarm(Instant at, long number, T item) {
      this.at = at;
      this.number = number;
      this.item = item;
    }

    boolean isDue(Instant now) {
      return !at.isAfter(now);
    }

    private boolean isBefore(Alarm<?> other) {
      int order = at.compareTo(other.at);
      return order < 0 || (order == 0 && number < other.number);
    }
  }

  Alarm<T> add(Instant at, long number, T item) {
    Alarm<T> alarm = new Alarm<>(at, number, item);
    if (size == heap.length) {
      heap = Arrays.copyOf(heap, size * 2);
    }
    rise(size++, alarm);
    return alarm;
  }

  @Nullable Alarm<T> first() {
    return at(0);
  }

  /** The first thing that is due, or null. */
  @Nullable Alarm<T> firstDue(Instant now) {
    Alarm<T> first = at(0);
    return first != null && first.isDue(now) ? first : null;
  }

  void remove(Alarm<T> alarm) {
    int hole = alarm.slot;
    Alarm<T> moved = at(--size);
    heap[size] = null;
    if (moved == null || moved == alarm) {
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

  private void rise(int from, Alarm<T> alarm) {
    int slot = from;
    while (slot > 0) {
      int parent = (slot - 1) / 2;
      Alarm<T> above = present(parent);
      if (!alarm.isBefore(above)) {
        break;
      }
      put(slot, above);
      slot = parent;
    }
    put(slot, alarm);
  }

  private void sink(int from, Alarm<T> alarm) {
    int slot = from;
    while (2 * slot + 1 < size) {
      int child = 2 * slot + 1;
      if (child + 1 < size && present(child + 1).isBefore(present(child))) {
        child++;
      }
      Alarm<T> below = present(child);
      if (!below.isBefore(alarm)) {
        break;
      }
      put(slot, below);
      slot = child;
    }
    put(slot, alarm);
  }

  private void put(int slot, Alarm<T> alarm) {
    heap[slot] = alarm;
    alarm.slot = slot;
  }

  private Alarm<T> present(int slot) {
    return Objects.requireNonNull(at(slot));
  }

  @SuppressWarnings("unchecked") // only alarms of T get in
  private @Nullable Alarm<T> at(int slot) {
    return (Alarm<T>) heap[slot];
  }
}

package dev.mailroom.memory;

/** Gathers the rows that a verb removes from a channel, so that the shared count moves once. */
final class ReleasedRows {
  private final Capacity capacity;
  private int count;

  ReleasedRows(Capacity capacity) {
    this.capacity = capacity;
  }

  void add(int rows) {
    count += rows;
  }

  void flush() {
    capacity.release(count);
    count = 0;
  }
}

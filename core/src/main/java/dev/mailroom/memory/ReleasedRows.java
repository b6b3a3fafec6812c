package dev.mailroom.memory;

/** Counts the rows that an operation removes, so that the shared count changes once. */
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

package dev.mailroom.memory;

import dev.mailroom.errors.StoreFullException;
import java.util.concurrent.atomic.AtomicLong;

/** The number of rows in the store, over all channels, and its limit. Thread-safe. */
final class Capacity {
  private final long limit;
  private final AtomicLong rows = new AtomicLong();

  Capacity(int limit) {
    this.limit = limit;
  }

  /** Reserves this many rows, or throws and reserves none. */
  void reserve(int count) {
    for (long kept = rows.get(); ; kept = rows.get()) {
      if (kept + count > limit) {
        throw new StoreFullException(
            "The memory store keeps "
                + kept
                + " rows and has no room for "
                + count
                + " more: its limit is "
                + limit
                + ". Nothing was stored. Raise MemoryStore.Builder.capacity, or let messages be"
                + " handled and purged first.");
      }
      if (rows.compareAndSet(kept, kept + count)) {
        return;
      }
    }
  }

  void release(int count) {
    if (count != 0) {
      rows.addAndGet(-count);
    }
  }

  /** Reverts a release, even if another writer has used the capacity meanwhile. */
  void restore(int count) {
    release(-count);
  }

  long rows() {
    return rows.get();
  }
}

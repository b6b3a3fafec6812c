package dev.mailroom.server.web;

import java.util.concurrent.atomic.AtomicLong;

/** The memory budget of all request bodies in flight. Thread-safe. */
final class BodyBudget {
  /**
   * Bodies may take an eighth of the heap. On its way into the store a body is in memory up to four
   * times: as it came, in the event, in the message, and in the driver. That makes one half; the
   * other half is for everything else.
   */
  private static final int PART_OF_HEAP = 8;

  private final long bytes;
  private final AtomicLong taken = new AtomicLong();

  /** A budget of that many bytes. */
  BodyBudget(long bytes) {
    this.bytes = bytes;
  }

  /** What a heap allows; always enough for one body as large as the limit. */
  static BodyBudget ofHeap(long heap, int largestBody) {
    return new BodyBudget(Math.max(largestBody, heap / PART_OF_HEAP));
  }

  /** Reserves memory; false if there is not enough left. */
  boolean take(long count) {
    if (taken.addAndGet(count) <= bytes) {
      return true;
    }
    taken.addAndGet(-count);
    return false;
  }

  /** Releases reserved memory. */
  void giveBack(long count) {
    taken.addAndGet(-count);
  }
}

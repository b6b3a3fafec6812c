package dev.mailroom.internal.write;

/** Bounds the asynchronous writes that are pending: their number and their bytes. Thread-safe. */
final class PendingWriteLimit {
  private final int max;
  private final long maxBytes;
  private int count;
  private long bytes;

  PendingWriteLimit(int max, long maxBytes) {
    this.max = max;
    this.maxBytes = maxBytes;
  }

  /** Acquires a permit for one more write; false if the limit is reached. */
  synchronized boolean tryAcquire(long size) {
    if (count >= max || bytes + size > maxBytes) {
      return false;
    }
    count++;
    bytes += size;
    return true;
  }

  synchronized void release(long size) {
    count--;
    bytes -= size;
  }
}

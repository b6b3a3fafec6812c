package dev.mailroom.memory;

import dev.mailroom.errors.TransientStoreException;
import dev.mailroom.time.TimeSource;
import java.time.Duration;

/** Bounds how long one call waits for transactions that write the same key or id. */
final class TransactionWait {
  /** The longest wait of one call. */
  static final Duration LIMIT = Duration.ofSeconds(10);

  private final TimeSource time;
  private final long start;

  TransactionWait(TimeSource time) {
    this.time = time;
    this.start = time.nanos();
  }

  /** Waits until the transaction has ended. The caller holds no lock. */
  void await(MemoryTransaction blocker) {
    long left = LIMIT.toNanos() - (time.nanos() - start);
    try {
      if (left > 0 && blocker.awaitEnd(left)) {
        return;
      }
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new TransientStoreException(
          "Interrupted while waiting for a transaction that writes the same key or id. Nothing was"
              + " stored.",
          interrupted);
    }
    throw new TransientStoreException(
        "A transaction that writes the same key or id is still open after "
            + LIMIT
            + ". Nothing was stored; end that transaction and repeat the call.");
  }
}

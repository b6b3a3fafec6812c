package dev.mailroom.internal.engine;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A binary permit: any thread may raise it, one thread waits for it. If no thread waits, the permit
 * is kept for the next wait; raised twice, it counts once.
 */
public final class Signal {
  private final AtomicBoolean raised = new AtomicBoolean();
  private volatile @Nullable Thread waiter;

  /** Wakes the waiter, now or at its next wait. */
  public void raise() {
    // Read before writing: on the hot path the permit is usually there already.
    if (!raised.get() && raised.compareAndSet(false, true)) {
      LockSupport.unpark(waiter);
    }
  }

  /** Waits until raised, interrupted or timed out, and takes the permit. */
  public void await(Duration timeout) {
    long nanos = toNanos(timeout);
    waiter = Thread.currentThread();
    // A park may wake spuriously; then one pass runs too early, which is harmless.
    if (!raised.get() && nanos > 0) {
      LockSupport.parkNanos(this, nanos);
    }
    raised.set(false);
  }

  private static long toNanos(Duration timeout) {
    return timeout.toSeconds() > 1_000_000_000L ? Long.MAX_VALUE : timeout.toNanos();
  }
}

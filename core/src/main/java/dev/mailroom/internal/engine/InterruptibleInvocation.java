package dev.mailroom.internal.engine;

import dev.mailroom.time.TimeSource;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Interrupts one worker's handler, and nothing but the handler.
 *
 * <p>An interrupt that arrives a moment after the handler has returned would hit the next message.
 * So the interrupting thread first moves the call from RUNNING to INTERRUPTING, and the worker does
 * not continue before the interrupt has been delivered and cleared. The state includes the number
 * of the call, so that a thread that found one call to be late cannot interrupt the next one.
 */
final class InterruptibleInvocation implements HandlerInvocation {
  private static final long IDLE = 0;
  private static final long RUNNING = 1;
  private static final long INTERRUPTING = 2;
  private static final long INTERRUPTED = 3;
  private static final long PHASES = 4;

  private final TimeSource time;
  // The number of the call, times PHASES, plus its phase.
  private final AtomicLong state = new AtomicLong(IDLE);
  private volatile @Nullable Thread thread;
  private volatile boolean limited;
  private volatile long deadline;
  private volatile EndReason reason = EndReason.RETURNED;
  private @Nullable HandlerTransaction transaction;

  InterruptibleInvocation(TimeSource time) {
    this.time = time;
  }

  /** Sets the transaction of the next handler call. */
  void useTransaction(HandlerTransaction next) {
    transaction = next;
  }

  @Override
  public HeldLease lease() {
    return transaction().lease();
  }

  @Override
  public HandlerTransaction transaction() {
    if (transaction == null) {
      throw new IllegalStateException("The invocation has no transaction yet.");
    }
    return transaction;
  }

  @Override
  public void begin(@Nullable Duration timeout) {
    thread = Thread.currentThread();
    limited = timeout != null;
    if (timeout != null) {
      deadline = time.nanos() + timeout.toNanos();
    }
    reason = EndReason.RETURNED;
    state.set(phase(state.get() + PHASES, RUNNING));
  }

  @Override
  public EndReason end() {
    long call = state.get();
    if (!state.compareAndSet(phase(call, RUNNING), phase(call, IDLE))) {
      while (state.get() % PHASES == INTERRUPTING) {
        Thread.onSpinWait();
      }
      state.set(phase(call, IDLE));
    }
    Thread.interrupted();
    return reason;
  }

  /** Interrupts the handler if its time is over. */
  void interruptIfLate() {
    long call = state.get();
    if (limited && deadline - time.nanos() <= 0) {
      interrupt(call, EndReason.TIMED_OUT);
    }
  }

  /** Interrupts the handler, if one is running. */
  void interrupt(EndReason why) {
    interrupt(state.get(), why);
  }

  private void interrupt(long call, EndReason why) {
    if (state.compareAndSet(phase(call, RUNNING), phase(call, INTERRUPTING))) {
      reason = why;
      Thread running = thread;
      if (running != null) {
        running.interrupt();
      }
      state.set(phase(call, INTERRUPTED));
    }
  }

  private static long phase(long call, long phase) {
    return call - call % PHASES + phase;
  }
}

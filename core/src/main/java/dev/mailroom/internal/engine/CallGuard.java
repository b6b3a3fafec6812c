package dev.mailroom.internal.engine;

import dev.mailroom.TimeSource;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Interrupts one worker's handler, and nothing but the handler.
 *
 * <p>An interrupt that arrives a moment after the handler has returned would hit the next message.
 * So the interrupter first claims the call by moving it from RUNNING to INTERRUPTING, and the
 * worker does not go on before the interrupt has been delivered and cleared.
 */
final class CallGuard implements Call {

  private enum State {
    IDLE,
    RUNNING,
    INTERRUPTING,
    INTERRUPTED
  }

  private final TimeSource time;
  private final AtomicReference<State> state = new AtomicReference<>(State.IDLE);
  private volatile @Nullable Thread thread;
  private volatile boolean limited;
  private volatile long deadline;
  private volatile Ending reason = Ending.RETURNED;
  private @Nullable HeldLease lease;

  CallGuard(TimeSource time) {
    this.time = time;
  }

  /** The worker takes up messages under this lease. */
  CallGuard under(HeldLease other) {
    lease = other;
    return this;
  }

  @Override
  public HeldLease lease() {
    if (lease == null) {
      throw new IllegalStateException("No work was taken up.");
    }
    return lease;
  }

  @Override
  public void begin(@Nullable Duration timeout) {
    thread = Thread.currentThread();
    limited = timeout != null;
    if (timeout != null) {
      deadline = time.nanos() + timeout.toNanos();
    }
    reason = Ending.RETURNED;
    state.set(State.RUNNING);
  }

  @Override
  public Ending end() {
    if (!state.compareAndSet(State.RUNNING, State.IDLE)) {
      while (state.get() != State.INTERRUPTED) {
        Thread.onSpinWait();
      }
      state.set(State.IDLE);
    }
    Thread.interrupted();
    return reason;
  }

  /** Interrupts the handler if its time is over. */
  void interruptIfLate() {
    if (limited && deadline - time.nanos() <= 0) {
      interrupt(Ending.TIMED_OUT);
    }
  }

  /** Interrupts the handler, if one is running. */
  void interrupt(Ending why) {
    if (state.compareAndSet(State.RUNNING, State.INTERRUPTING)) {
      reason = why;
      Thread running = thread;
      if (running != null) {
        running.interrupt();
      }
      state.set(State.INTERRUPTED);
    }
  }
}

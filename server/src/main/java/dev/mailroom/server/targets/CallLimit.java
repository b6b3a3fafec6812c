package dev.mailroom.server.targets;

import dev.mailroom.time.TimeSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Limits the concurrent calls of a target (a bulkhead): a semaphore with a timeout. A caller that
 * gets no permit waits if one is expected within {@link #MAX_WAIT}, so that a fast target that is
 * busy for a moment costs no extra write. Otherwise the call is rejected with a delay, and its
 * worker can serve other targets. Thread-safe.
 */
final class CallLimit {
  /** The longest that a worker waits for a call to end. */
  static final Duration MAX_WAIT = Duration.ofMillis(50);

  private static final Duration SHORTEST_SPACING = Duration.ofMillis(1);
  private static final Duration LONGEST_SPACING = Duration.ofMillis(100);

  /** Over how many calls the average duration goes, roughly. */
  private static final int AVERAGED = 8;

  private final int limit;
  private final TimeSource time;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition callEnded = lock.newCondition();
  private final RetrySpacing pace = new RetrySpacing();

  /** When the calls under way began, the oldest first. */
  private final List<Call> calls = new ArrayList<>();

  private int waiting;
  private long averageNanos;

  CallLimit(int limit, TimeSource time) {
    this.limit = limit;
    this.time = time;
  }

  /** The result of asking for a call. */
  sealed interface Admission {}

  /** A call that is under way; {@link CallLimit#end} has to follow. */
  static final class Call implements Admission {
    private final long began;

    private Call(long began) {
      this.began = began;
    }
  }

  /**
   * The limit is reached.
   *
   * @param delay when to retry
   */
  record Rejected(Duration delay) implements Admission {}

  int limit() {
    return limit;
  }

  int underWay() {
    lock.lock();
    try {
      return calls.size();
    } finally {
      lock.unlock();
    }
  }

  Admission begin() throws InterruptedException {
    lock.lockInterruptibly();
    try {
      if (calls.size() < limit) {
        pace.reset();
        return call();
      }
      return expectedWait(waiting + 1) > MAX_WAIT.toNanos() || !awaitFree() ? reject() : call();
    } finally {
      lock.unlock();
    }
  }

  void end(Call call) {
    lock.lock();
    try {
      calls.remove(call);
      averageNanos += (time.nanos() - call.began - averageNanos) / AVERAGED;
      callEnded.signal();
    } finally {
      lock.unlock();
    }
  }

  private Call call() {
    Call call = new Call(time.nanos());
    calls.add(call);
    return call;
  }

  private boolean awaitFree() throws InterruptedException {
    long left = MAX_WAIT.toNanos();
    waiting++;
    try {
      while (calls.size() >= limit && left > 0) {
        left = callEnded.awaitNanos(left);
      }
    } finally {
      waiting--;
    }
    return calls.size() < limit;
  }

  private Rejected reject() {
    Duration share = Duration.ofNanos(expectedWait(1));
    Duration spacing = share.compareTo(LONGEST_SPACING) > 0 ? LONGEST_SPACING : share;
    spacing = spacing.compareTo(SHORTEST_SPACING) < 0 ? SHORTEST_SPACING : spacing;
    return new Rejected(pace.delay(time.nanos(), Duration.ZERO, spacing));
  }

  /** How long it takes until that many calls have ended. */
  private long expectedWait(int ends) {
    // A call takes the average time, or longer if half of the current calls have taken longer.
    long age = time.nanos() - calls.get(calls.size() / 2).began;
    return Math.max(age, averageNanos) * ends / limit;
  }
}

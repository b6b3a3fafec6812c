package dev.mailroom.server.targets;

import dev.mailroom.time.TimeSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Limits the calls that are under way at once: a bulkhead. A caller that comes when all are taken
 * waits, if at the present speed one will be free within {@link #PATIENCE}: so a fast target that
 * is busy for a moment costs no extra write. Otherwise it is turned away with a delay, and its
 * worker is free for other targets. Thread-safe.
 */
final class CallLimit {
  /** The longest that a worker waits for a call to end. */
  static final Duration PATIENCE = Duration.ofMillis(50);

  private static final Duration SHORTEST_SPACING = Duration.ofMillis(1);
  private static final Duration LONGEST_SPACING = Duration.ofMillis(100);

  /** Over how many calls the average duration goes, roughly. */
  private static final int AVERAGED = 8;

  private final int limit;
  private final TimeSource time;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition freed = lock.newCondition();
  private final RetrySpacing pace = new RetrySpacing();

  /** When the calls under way began, the oldest first. */
  private final List<ApiRequest> calls = new ArrayList<>();

  private int waiting;
  private long averageNanos;

  CallLimit(int limit, TimeSource time) {
    this.limit = limit;
    this.time = time;
  }

  /** What became of the wish to call. */
  sealed interface Entry {}

  /** A call that is under way; {@link CallLimit#end} has to follow. */
  static final class ApiRequest implements Entry {
    private final long began;

    private ApiRequest(long began) {
      this.began = began;
    }
  }

  /**
   * All calls are taken.
   *
   * @param delay when to come again
   */
  record TurnedAway(Duration delay) implements Entry {}

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

  Entry begin() throws InterruptedException {
    lock.lockInterruptibly();
    try {
      if (calls.size() < limit) {
        pace.reset();
        return call();
      }
      return expectedWait(waiting + 1) > PATIENCE.toNanos() || !awaitFree() ? turnAway() : call();
    } finally {
      lock.unlock();
    }
  }

  void end(ApiRequest call) {
    lock.lock();
    try {
      calls.remove(call);
      averageNanos += (time.nanos() - call.began - averageNanos) / AVERAGED;
      freed.signal();
    } finally {
      lock.unlock();
    }
  }

  private ApiRequest call() {
    ApiRequest call = new ApiRequest(time.nanos());
    calls.add(call);
    return call;
  }

  private boolean awaitFree() throws InterruptedException {
    long left = PATIENCE.toNanos();
    waiting++;
    try {
      while (calls.size() >= limit && left > 0) {
        left = freed.awaitNanos(left);
      }
    } finally {
      waiting--;
    }
    return calls.size() < limit;
  }

  private TurnedAway turnAway() {
    Duration share = Duration.ofNanos(expectedWait(1));
    Duration spacing = share.compareTo(LONGEST_SPACING) > 0 ? LONGEST_SPACING : share;
    spacing = spacing.compareTo(SHORTEST_SPACING) < 0 ? SHORTEST_SPACING : spacing;
    return new TurnedAway(pace.delay(time.nanos(), Duration.ZERO, spacing));
  }

  /** How long it takes until that many calls have ended. */
  private long expectedWait(int ends) {
    // Calls take as long as they did, or longer if half of those under way have already done so.
    long age = time.nanos() - calls.get(calls.size() / 2).began;
    return Math.max(age, averageNanos) * ends / limit;
  }
}

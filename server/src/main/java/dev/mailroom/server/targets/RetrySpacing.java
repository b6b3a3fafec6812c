package dev.mailroom.server.targets;

import java.time.Duration;

/**
 * Spaces the retries of messages that cannot be delivered now, so that a large backlog of one
 * target costs the store a bounded number of claims per second. Not thread-safe.
 */
final class RetrySpacing {
  /** The longest delay: after an outage every message is retried within it. */
  static final Duration LONGEST = Duration.ofMinutes(5);

  private static final long SHORTEST_NANOS = Duration.ofMillis(50).toNanos();

  private long next;
  private boolean hasNext;

  /**
   * The delay of one more message.
   *
   * @param now the monotonic time
   * @param wait how long it has to wait in any case
   * @param spacing how long behind the one before it
   */
  Duration delay(long now, Duration wait, Duration spacing) {
    long earliest = now + wait.toNanos();
    long due = (hasNext && next - earliest > 0 ? next : earliest) + spacing.toNanos();
    long longest = LONGEST.toNanos();
    long delay = Math.min(Math.max(due - now, SHORTEST_NANOS), longest);
    next = now + delay;
    hasNext = true;
    return Duration.ofNanos(delay);
  }

  /** Resets the spacing: no message waits any more. */
  void reset() {
    hasNext = false;
  }
}

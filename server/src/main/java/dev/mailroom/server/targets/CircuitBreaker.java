package dev.mailroom.server.targets;

import dev.mailroom.messages.Limits;
import dev.mailroom.time.TimeSource;
import java.time.Duration;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Stops calls to a target that is unavailable. Closed, it lets all calls through. After a number of
 * failures in a row it opens: no call is made for a pause. Then it is half-open: one call is let
 * through as a probe. If that succeeds it closes; if not it opens again, for twice the pause.
 *
 * <p>The failures have to be of two messages at least: one message that its target cannot take must
 * not stop the others, and without others there is nothing to protect. Thread-safe.
 */
final class CircuitBreaker {
  private static final Logger LOG = LoggerFactory.getLogger(CircuitBreaker.class);
  private static final int LONGEST_REASON = 500;

  /** The spacing of retries of messages that wait for it. */
  private static final Duration SPACING = Duration.ofMillis(20);

  private final String target;
  private final Options options;
  private final TimeSource time;
  private final RetrySpacing pace = new RetrySpacing();
  private State state = State.CLOSED;
  private int failures;
  private @Nullable UUID firstFailed;
  private boolean failedForSeveral;
  private String lastFailure = "";
  private Duration pause = Duration.ZERO;
  private long openedAt;
  private @Nullable Pass probe;

  /** Whether calls are made. */
  enum State {
    /** All calls are made. */
    CLOSED,
    /** One call is under way, to see whether the target is back. */
    HALF_OPEN,
    /** No call is made. */
    OPEN
  }

  /**
   * When it opens, and for how long.
   *
   * @param failures after how many failures in a row it opens; 0 means never
   * @param firstPause how long it is open at first
   * @param longestPause the pause doubles up to this
   */
  record Options(int failures, Duration firstPause, Duration longestPause) {}

  /**
   * What it looks like.
   *
   * @param failures how many calls have failed in a row
   * @param lastFailure what the last of them said; empty if none has
   * @param probeIn how long until a call is made again, zero unless it is open
   */
  record Status(State state, int failures, String lastFailure, Duration probeIn) {}

  /** The result of asking for a call. */
  sealed interface Admission {}

  /** A call may be made; its outcome must be reported. */
  static final class Pass implements Admission {}

  /**
   * No call may be made.
   *
   * @param delay when to retry
   * @param reason why
   */
  record Rejected(Duration delay, String reason) implements Admission {}

  CircuitBreaker(String target, Options options, TimeSource time) {
    this.target = target;
    this.options = options;
    this.time = time;
  }

  synchronized Admission enter() {
    if (state == State.CLOSED) {
      return new Pass();
    }
    Duration left = left();
    if (state == State.OPEN && left.isZero()) {
      state = State.HALF_OPEN;
      Pass pass = new Pass();
      probe = pass;
      LOG.info("The breaker of target '{}' is half-open: one call is made as a probe", target);
      return pass;
    }
    // How long the probe takes is not known; the pause is what the target was given before.
    Duration wait = state == State.OPEN ? left : pause;
    return new Rejected(
        pace.delay(time.nanos(), wait, SPACING),
        "Target '%s' is not called for now, after %d failures in a row; the last: %s"
            .formatted(target, failures, lastFailure));
  }

  /** The target has taken the call, whatever it made of the message. */
  synchronized void succeeded() {
    if (state != State.CLOSED) {
      LOG.info("The breaker of target '{}' is closed: the target is back", target);
    }
    close();
  }

  /** Closes it without a call. */
  synchronized void reset() {
    if (state != State.CLOSED) {
      LOG.info("The breaker of target '{}' is closed by hand", target);
    }
    close();
  }

  private void close() {
    state = State.CLOSED;
    failures = 0;
    firstFailed = null;
    failedForSeveral = false;
    lastFailure = "";
    pause = Duration.ZERO;
    probe = null;
    pace.reset();
  }

  /**
   * The target has not taken the call.
   *
   * @param message the message that was to be delivered
   * @param reason why, for people
   * @param retryAfter for how long the target wants no further call; zero if it did not say
   */
  synchronized void failed(Pass pass, UUID message, String reason, Duration retryAfter) {
    failures++;
    failedForSeveral |= firstFailed != null && !firstFailed.equals(message);
    firstFailed = firstFailed == null ? message : firstFailed;
    lastFailure = Limits.cut(reason, LONGEST_REASON);
    boolean enough =
        state == State.CLOSED
            && options.failures() > 0
            && failures >= options.failures()
            && failedForSeveral;
    if (enough || pass == probe) {
      open(retryAfter);
    }
  }

  /** The call was not made, or nothing can be said of how it went. */
  synchronized void withdrawn(Pass pass) {
    if (pass == probe) {
      probe = null;
      state = State.OPEN; // and its pause is over, so that the next message is the probe
    }
  }

  private void open(Duration retryAfter) {
    Duration grown = pause.isZero() ? options.firstPause() : pause.multipliedBy(2);
    Duration own = shorter(grown, options.longestPause());
    pause = own.compareTo(retryAfter) < 0 ? retryAfter : own;
    openedAt = time.nanos();
    probe = null;
    state = State.OPEN;
    LOG.warn(
        "The breaker of target '{}' is open: no call is made for {}, after {} failures in a row;"
            + " the last: {}",
        target,
        pause,
        failures,
        lastFailure);
  }

  private static Duration shorter(Duration one, Duration other) {
    return one.compareTo(other) < 0 ? one : other;
  }

  private Duration left() {
    long left = openedAt + pause.toNanos() - time.nanos();
    return left <= 0 ? Duration.ZERO : Duration.ofNanos(left);
  }

  synchronized Status status() {
    Duration probeIn = state == State.OPEN ? left() : Duration.ZERO;
    return new Status(state, failures, lastFailure, probeIn);
  }
}

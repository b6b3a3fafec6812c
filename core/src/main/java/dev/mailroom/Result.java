package dev.mailroom;

import java.time.Duration;
import java.util.Objects;

/** What a handler answers for one message. */
public sealed interface Result {

  /** Handled: the message is done. */
  static Result success() {
    return Success.INSTANCE;
  }

  /** Failed: tried again after the back-off, dead when the attempts run out. */
  static Result failed(String reason) {
    return new Failed(reason);
  }

  /**
   * Not now: tried again after that time, which does not count as an attempt but as a deferral. A
   * delay shorter than {@link #SHORTEST_RETRY} is lengthened to it, so that asking never becomes a
   * hot loop.
   */
  static Result retry(Duration after) {
    return new Retry(after);
  }

  /** Never: dead at once. */
  static Result deadLetter(String reason) {
    return new Dead(reason);
  }

  /** The shortest delay of a retry that a handler asks for: 10 milliseconds. */
  Duration SHORTEST_RETRY = Duration.ofMillis(10);

  /** Handled. */
  record Success() implements Result {
    private static final Success INSTANCE = new Success();
  }

  /**
   * Failed.
   *
   * @param reason why, for people
   */
  record Failed(String reason) implements Result {
    /** Refuses null. */
    public Failed {
      Objects.requireNonNull(reason, "reason");
    }
  }

  /**
   * Not now.
   *
   * @param after how long to wait
   */
  record Retry(Duration after) implements Result {
    /** Refuses null and lengthens what is too short. */
    public Retry {
      Objects.requireNonNull(after, "after");
      after = after.compareTo(SHORTEST_RETRY) < 0 ? SHORTEST_RETRY : after;
    }
  }

  /**
   * Never.
   *
   * @param reason why, for people
   */
  record Dead(String reason) implements Result {
    /** Refuses null. */
    public Dead {
      Objects.requireNonNull(reason, "reason");
    }
  }
}

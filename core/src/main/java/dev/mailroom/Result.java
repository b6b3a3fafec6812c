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
   * Failed, and not to be tried again before this time is over: tried again after the back-off or
   * after this time, whichever is longer; dead when the attempts run out.
   */
  static Result failed(String reason, Duration notBefore) {
    return new Failed(reason, notBefore);
  }

  /** Failed with this error: as if the handler had thrown it, for this message alone. */
  static Result failed(Throwable error) {
    return new Threw(error);
  }

  /**
   * Not known here: a newer version of the application may know what to do. Tried again, later and
   * later, which counts as nothing; dead when the inbox's park time is over.
   */
  static Result park(String reason) {
    return new Parked(reason);
  }

  /**
   * Not now: tried again after that time, which does not count as an attempt but as a deferral. A
   * delay shorter than {@link #SHORTEST_RETRY} is lengthened to it, so that asking never becomes a
   * hot loop.
   */
  static Result retry(Duration after) {
    return new Retry(after);
  }

  /** The same as {@link #retry(Duration)}, with a reason that is kept as the last error. */
  static Result retry(Duration after, String reason) {
    return new Retry(after, reason);
  }

  /**
   * Failed, and judged by the handler itself: tried again after exactly this time, which counts as
   * an attempt, however many there were. For handlers that keep count of their own, such as a chain
   * of {@linkplain Delivery#checkpoint steps}; they answer {@link #deadLetter(LastError)} when it
   * is enough. Not shorter than {@link #SHORTEST_RETRY}.
   */
  static Result failed(LastError error, Duration after) {
    return new Again(error, after);
  }

  /** Never: dead at once. */
  static Result deadLetter(String reason) {
    return deadLetter(LastError.of("dead-letter", reason));
  }

  /** Never: dead at once, with this error. */
  static Result deadLetter(LastError error) {
    return new Dead(error, false);
  }

  /**
   * Nobody here is for it: dead at once, and kept also where dead letters are switched off, so that
   * it can be redriven when there is somebody. Its error's type is {@code unhandled}.
   */
  static Result unhandled(String reason) {
    return new Dead(LastError.of("unhandled", reason), true);
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
   * @param notBefore the shortest time until it is tried again; zero leaves it to the back-off
   */
  record Failed(String reason, Duration notBefore) implements Result {
    /** Refuses null. */
    public Failed {
      Objects.requireNonNull(reason, "reason");
      Objects.requireNonNull(notBefore, "notBefore");
    }

    /** Leaves the time to the back-off. */
    public Failed(String reason) {
      this(reason, Duration.ZERO);
    }
  }

  /**
   * Failed with an error.
   *
   * @param error what would have been thrown for one message
   */
  record Threw(Throwable error) implements Result {
    /** Refuses null. */
    public Threw {
      Objects.requireNonNull(error, "error");
    }
  }

  /**
   * Not known here.
   *
   * @param reason why, for people
   */
  record Parked(String reason) implements Result {
    /** Refuses null. */
    public Parked {
      Objects.requireNonNull(reason, "reason");
    }
  }

  /**
   * Not now.
   *
   * @param after how long to wait
   * @param reason why, for people; empty if the handler gave none
   */
  record Retry(Duration after, String reason) implements Result {
    /** Refuses null and lengthens what is too short. */
    public Retry {
      after = longEnough(after);
      Objects.requireNonNull(reason, "reason");
    }

    /** Without a reason. */
    public Retry(Duration after) {
      this(after, "");
    }
  }

  /**
   * Failed, and tried again after a time of the handler's own.
   *
   * @param error why
   * @param after how long to wait
   */
  record Again(LastError error, Duration after) implements Result {
    /** Refuses null and lengthens what is too short. */
    public Again {
      Objects.requireNonNull(error, "error");
      after = longEnough(after);
    }
  }

  /**
   * Never.
   *
   * @param error why
   * @param kept whether it is kept also where dead letters are switched off
   */
  record Dead(LastError error, boolean kept) implements Result {
    /** Refuses null. */
    public Dead {
      Objects.requireNonNull(error, "error");
    }
  }

  private static Duration longEnough(Duration after) {
    Objects.requireNonNull(after, "after");
    return after.compareTo(SHORTEST_RETRY) < 0 ? SHORTEST_RETRY : after;
  }
}

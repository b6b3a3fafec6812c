package dev.mailroom.spi;

import dev.mailroom.errors.Violations;
import dev.mailroom.messages.LastError;
import java.time.Duration;
import java.util.Objects;

/**
 * What a handler's call means for its message. An application returns a {@code Result}, which holds
 * one of these; extensions that need more than {@code Result} offers make them directly.
 */
public sealed interface HandlerOutcome {

  /** The shortest delay of a retry that a handler asks for: 10 milliseconds. */
  Duration SHORTEST_RETRY = Duration.ofMillis(10);

  /**
   * No handler matches: dead-lettered at once, and kept even where dead letters are switched off,
   * so that it can be redriven when there is a handler. Its error's type is {@code unhandled}.
   */
  static HandlerOutcome unhandled(String reason) {
    return new DeadLettered(LastError.of("unhandled", reason), true);
  }

  /**
   * The payload cannot be decoded: dead-lettered at once, and kept even where dead letters are
   * switched off, so that it can be redriven when the codec reads it. Its error's type is {@code
   * undecodable}.
   */
  static HandlerOutcome undecodable(Throwable error) {
    LastError cause = LastError.of(error);
    return new DeadLettered(new LastError("undecodable", cause.message(), cause.detail()), true);
  }

  /** The handler succeeded: the message is done. */
  record Succeeded() implements HandlerOutcome {
    /** The only instance that is needed. */
    public static final Succeeded INSTANCE = new Succeeded();
  }

  /**
   * The handler failed: retried after the back-off, dead-lettered when the attempts run out.
   *
   * @param reason why, for logs and consoles
   * @param notBefore the shortest time until the retry; zero leaves it to the back-off
   */
  record Failed(String reason, Duration notBefore) implements HandlerOutcome {
    /** Refuses null and a negative time. */
    public Failed {
      Objects.requireNonNull(reason, "reason");
      requireNotNegative("notBefore", notBefore);
    }

    /** Leaves the time to the back-off. */
    public Failed(String reason) {
      this(reason, Duration.ZERO);
    }
  }

  /**
   * The handler failed with an error: as if it had thrown it, for this message alone.
   *
   * @param error what would have been thrown for one message
   */
  record Threw(Throwable error) implements HandlerOutcome {
    /** Refuses null. */
    public Threw {
      Objects.requireNonNull(error, "error");
    }
  }

  /**
   * The message is not known here, but a newer version of the application may know it. Retried with
   * growing delays, which does not count as an attempt; dead-lettered after the park time.
   *
   * @param reason why, for logs and consoles
   */
  record Parked(String reason) implements HandlerOutcome {
    /** Refuses null. */
    public Parked {
      Objects.requireNonNull(reason, "reason");
    }
  }

  /**
   * The handler asks for a later time, which counts as a deferral and not as an attempt.
   *
   * @param after how long to wait; lengthened to {@link #SHORTEST_RETRY}, so that asking never
   *     becomes a hot loop
   * @param reason why, for logs and consoles; empty if the handler gave none
   */
  record Deferred(Duration after, String reason) implements HandlerOutcome {
    /** Refuses null and a negative time, and lengthens what is too short. */
    public Deferred {
      after = longEnough(after);
      Objects.requireNonNull(reason, "reason");
    }

    /** Without a reason. */
    public Deferred(Duration after) {
      this(after, "");
    }
  }

  /**
   * The handler failed and decided by itself when to retry, which counts as an attempt, however
   * many there were. For handlers that count attempts themselves, such as a chain of steps.
   *
   * @param error why
   * @param after how long to wait; lengthened to {@link #SHORTEST_RETRY}
   */
  record RetryAfter(LastError error, Duration after) implements HandlerOutcome {
    /** Refuses null and a negative time, and lengthens what is too short. */
    public RetryAfter {
      Objects.requireNonNull(error, "error");
      after = longEnough(after);
    }
  }

  /**
   * Dead-lettered at once.
   *
   * @param error why
   * @param kept whether it is kept even where dead letters are switched off
   */
  record DeadLettered(LastError error, boolean kept) implements HandlerOutcome {
    /** Refuses null. */
    public DeadLettered {
      Objects.requireNonNull(error, "error");
    }

    /** Kept only where dead letters are. */
    public DeadLettered(LastError error) {
      this(error, false);
    }
  }

  private static void requireNotNegative(String what, Duration value) {
    Objects.requireNonNull(value, what);
    if (value.isNegative()) {
      Violations violations = new Violations("HandlerOutcome");
      violations.notNegative(what, value);
      violations.raise();
    }
  }

  private static Duration longEnough(Duration after) {
    requireNotNegative("after", after);
    return after.compareTo(SHORTEST_RETRY) < 0 ? SHORTEST_RETRY : after;
  }
}

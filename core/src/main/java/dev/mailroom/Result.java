package dev.mailroom;

import dev.mailroom.errors.InvalidOptionsException;
import dev.mailroom.errors.Violations;
import dev.mailroom.messages.LastError;
import dev.mailroom.spi.HandlerOutcome;
import java.time.Duration;
import java.util.Objects;

/** What a handler returns for one message. Immutable. */
public final class Result {
  private static final Result SUCCESS = new Result(HandlerOutcome.Succeeded.INSTANCE);

  private final HandlerOutcome outcome;

  private Result(HandlerOutcome outcome) {
    this.outcome = Objects.requireNonNull(outcome, "outcome");
  }

  /** Handled: the message is done. */
  public static Result success() {
    return SUCCESS;
  }

  /** Failed: retried with back-off, dead-lettered when the attempts run out. */
  public static Result fail(String reason) {
    return new Result(new HandlerOutcome.Failed(reason));
  }

  /** Failed with this error: as if the handler had thrown it, for this message alone. */
  public static Result fail(Throwable error) {
    return new Result(new HandlerOutcome.Threw(error));
  }

  /**
   * Not now: retried after that time, which does not count as an attempt but as a deferral. A delay
   * shorter than {@link HandlerOutcome#SHORTEST_RETRY} is lengthened to it.
   *
   * @throws InvalidOptionsException if the delay is negative
   */
  public static Result retryLater(Duration after) {
    return retryLater(after, "");
  }

  /**
   * As {@link #retryLater(Duration)}, with a reason that is kept as the last error.
   *
   * @throws InvalidOptionsException if the delay is negative
   */
  public static Result retryLater(Duration after, String reason) {
    if (after.isNegative()) {
      Violations violations = new Violations("Result.retryLater");
      violations.notNegative("after", after);
      violations.raise();
    }
    return new Result(new HandlerOutcome.Deferred(after, reason));
  }

  /** Dead-lettered at once. */
  public static Result deadLetter(String reason) {
    return new Result(new HandlerOutcome.DeadLettered(LastError.of("dead-letter", reason)));
  }

  /** For extensions: any outcome that the engine knows. */
  public static Result of(HandlerOutcome outcome) {
    return outcome instanceof HandlerOutcome.Succeeded ? SUCCESS : new Result(outcome);
  }

  /** Whether the message was handled. */
  public boolean isSuccess() {
    return outcome instanceof HandlerOutcome.Succeeded;
  }

  /** For extensions: what it means for the message. */
  public HandlerOutcome outcome() {
    return outcome;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Result result && outcome.equals(result.outcome);
  }

  @Override
  public int hashCode() {
    return outcome.hashCode();
  }

  @Override
  public String toString() {
    return outcome.toString();
  }
}

package dev.mailroom.spi;

import dev.mailroom.errors.Violations;
import dev.mailroom.messages.LastError;
import java.time.Duration;
import java.util.Objects;

/** What became of a leased message. */
public sealed interface Outcome {

  /** Handled: removed, or kept as history. */
  record Completed() implements Outcome {
    /** The only value. */
    public static final Completed INSTANCE = new Completed();
  }

  /**
   * To be retried after a delay. In a group it keeps its place and blocks those behind it.
   *
   * @param delay how long it waits, by the store's clock
   * @param error why
   * @param counts what the delay is counted as
   */
  record Retried(Duration delay, LastError error, Counts counts) implements Outcome {
    /** Refuses null and a negative delay. */
    public Retried {
      Objects.requireNonNull(delay, "delay");
      if (delay.isNegative()) {
        Violations violations = new Violations("Outcome");
        violations.notNegative("delay", delay);
        violations.raise();
      }
      Objects.requireNonNull(error, "error");
      Objects.requireNonNull(counts, "counts");
    }
  }

  /** What a retry is counted as. */
  enum Counts {
    /** The attempt stays counted. */
    ATTEMPT,
    /** The attempt is given back and a deferral is counted. */
    DEFERRAL,
    /**
     * The attempt is given back and nothing is counted; the store remembers since when the message
     * has been parked.
     */
    PARKING
  }

  /** Given back untouched: ready at once, in place within its group, the attempt given back. */
  record Released() implements Outcome {
    /** The only value. */
    public static final Released INSTANCE = new Released();
  }

  /**
   * Not retried until it is redriven.
   *
   * @param error why
   */
  record Dead(LastError error) implements Outcome {
    /** Refuses null. */
    public Dead {
      Objects.requireNonNull(error, "error");
    }
  }

  /** Removed without a trace, because its channel keeps no dead letters. */
  record Discarded() implements Outcome {
    /** The only value. */
    public static final Discarded INSTANCE = new Discarded();
  }
}

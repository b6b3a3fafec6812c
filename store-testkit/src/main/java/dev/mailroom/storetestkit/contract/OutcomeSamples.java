package dev.mailroom.storetestkit.contract;

import dev.mailroom.messages.LastError;
import dev.mailroom.spi.Outcome;
import java.time.Duration;

/** Outcomes for tests, with a sample error. */
final class OutcomeSamples {
  static final LastError ERROR = new LastError("test.Failure", "It failed.", "  at line 1");

  private OutcomeSamples() {}

  static Outcome completed() {
    return Outcome.Completed.INSTANCE;
  }

  static Outcome released() {
    return Outcome.Released.INSTANCE;
  }

  static Outcome discarded() {
    return Outcome.Discarded.INSTANCE;
  }

  static Outcome dead() {
    return new Outcome.Dead(ERROR);
  }

  static Outcome dead(String type, String message) {
    return new Outcome.Dead(LastError.of(type, message));
  }

  static Outcome retried(Duration delay) {
    return new Outcome.Retried(delay, ERROR, Outcome.Counts.ATTEMPT);
  }

  static Outcome deferred(Duration delay) {
    return new Outcome.Retried(delay, ERROR, Outcome.Counts.DEFERRAL);
  }

  static Outcome parked(Duration delay) {
    return new Outcome.Retried(delay, ERROR, Outcome.Counts.PARKING);
  }
}

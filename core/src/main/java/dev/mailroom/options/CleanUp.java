package dev.mailroom.options;

import dev.mailroom.errors.Violations;
import dev.mailroom.messages.Limits;
import java.time.Duration;

/**
 * How one clean-up task runs.
 *
 * @param interval how often it runs
 * @param batch the most rows one statement removes, 1 to {@link Limits#BATCH}
 * @param restartDelay how long it rests after a failure, and before its first run
 */
public record CleanUp(Duration interval, int batch, Duration restartDelay) {

  /** Every five minutes, 1,000 rows at a time, 30 seconds after a failure. */
  public static final CleanUp DEFAULT =
      new CleanUp(
          Defaults.CLEAN_UP_INTERVAL, Defaults.CLEAN_UP_BATCH, Defaults.CLEAN_UP_RESTART_DELAY);

  /** Checks all three and reports every violation at once. */
  public CleanUp {
    Violations violations = new Violations("CleanUp");
    violations.positive("interval", interval);
    violations.check(
        batch > 0 && batch <= Limits.BATCH, "batch", batch, "must be from 1 to " + Limits.BATCH);
    violations.positive("restartDelay", restartDelay);
    violations.raise();
  }
}

package dev.mailroom.options;

import dev.mailroom.errors.InvalidOptionsException;
import dev.mailroom.errors.Violations;
import dev.mailroom.messages.Limits;
import java.time.Duration;
import java.util.function.Consumer;

/**
 * How one clean-up task runs. Immutable and thread-safe.
 *
 * @param interval how often it runs
 * @param batch the most rows one statement removes, 1 to {@link Limits#BATCH}
 * @param restartDelay how long it waits after a failure, and before its first run
 */
public record CleanUp(Duration interval, int batch, Duration restartDelay) {
  private static final CleanUp DEFAULTS = new Builder().build();

  /** Checks all three and reports every violation at once. */
  public CleanUp {
    Violations violations = new Violations("CleanUp");
    violations.positive("interval", interval);
    violations.check(
        batch > 0 && batch <= Limits.BATCH, "batch", batch, "must be from 1 to " + Limits.BATCH);
    violations.positive("restartDelay", restartDelay);
    violations.raise();
  }

  /** Every five minutes, 1,000 rows at a time, 30 seconds after a failure. */
  public static CleanUp defaults() {
    return DEFAULTS;
  }

  /** A builder that starts with the defaults. */
  public static Builder builder() {
    return new Builder();
  }

  /** Settings for reuse: {@code CleanUp.of(cleanUp -> cleanUp.batch(100))}. */
  public static CleanUp of(Consumer<Builder> settings) {
    Builder builder = new Builder();
    settings.accept(builder);
    return builder.build();
  }

  /** A builder that starts with these settings. */
  public Builder toBuilder() {
    return new Builder().interval(interval).batch(batch).restartDelay(restartDelay);
  }

  /** Sets how a clean-up task runs. Not thread-safe. */
  public static final class Builder {
    private Duration interval = Defaults.CLEAN_UP_INTERVAL;
    private int batch = Defaults.CLEAN_UP_BATCH;
    private Duration restartDelay = Defaults.CLEAN_UP_RESTART_DELAY;

    private Builder() {}

    /** How often the task runs. Default: every five minutes. */
    public Builder interval(Duration value) {
      interval = value;
      return this;
    }

    /** The most rows one statement removes, 1 to {@link Limits#BATCH}. Default: 1,000. */
    public Builder batch(int value) {
      batch = value;
      return this;
    }

    /** How long the task waits after a failure, and before its first run. Default: 30 seconds. */
    public Builder restartDelay(Duration value) {
      restartDelay = value;
      return this;
    }

    /**
     * The settings.
     *
     * @throws InvalidOptionsException naming every violation
     */
    public CleanUp build() {
      return new CleanUp(interval, batch, restartDelay);
    }
  }
}

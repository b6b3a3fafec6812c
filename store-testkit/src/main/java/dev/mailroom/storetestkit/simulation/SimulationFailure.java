package dev.mailroom.storetestkit.simulation;

import org.jspecify.annotations.Nullable;

/** An invariant was broken. The message contains the seed, the step and the last events. */
public final class SimulationFailure extends AssertionError {
  private static final long serialVersionUID = 1L;

  private final long seed;
  private final Invariant invariant;

  SimulationFailure(
      SimulationOptions options,
      Invariant invariant,
      String what,
      EventLog log,
      @Nullable Throwable cause) {
    super(
        "Seed "
            + options.seed()
            + " broke "
            + invariant
            + " at step "
            + log.step()
            + ": "
            + what
            + "\n"
            + options
            + "\nThe last events:\n  "
            + String.join("\n  ", log.last()),
        cause);
    this.seed = options.seed();
    this.invariant = invariant;
  }

  /** The seed that reproduces it. */
  public long seed() {
    return seed;
  }

  /** What was broken. */
  public Invariant invariant() {
    return invariant;
  }
}

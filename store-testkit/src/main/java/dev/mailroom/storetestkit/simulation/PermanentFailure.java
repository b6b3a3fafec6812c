package dev.mailroom.storetestkit.simulation;

/** What a simulated handler throws when trying again is pointless. */
final class PermanentFailure extends RuntimeException {
  private static final long serialVersionUID = 1L;

  PermanentFailure() {
    super("simulated, permanent", null, false, false);
  }
}

package dev.mailroom.storetestkit.simulation;

/** Thrown by a simulated handler; no retry succeeds. */
final class PermanentFailure extends RuntimeException {
  private static final long serialVersionUID = 1L;

  PermanentFailure() {
    super("simulated, permanent", null, false, false);
  }
}

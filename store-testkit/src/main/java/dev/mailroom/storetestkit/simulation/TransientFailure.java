package dev.mailroom.storetestkit.simulation;

/** Thrown by a simulated handler; a retry may succeed. */
final class TransientFailure extends RuntimeException {
  private static final long serialVersionUID = 1L;

  TransientFailure() {
    super("simulated, transient", null, false, false);
  }
}

package dev.mailroom.storetestkit.simulation;

/** What a simulated handler throws when trying again may help. */
final class PassingFailure extends RuntimeException {
  private static final long serialVersionUID = 1L;

  PassingFailure() {
    super("simulated, passing", null, false, false);
  }
}

package dev.mailroom.storetestkit.simulation;

/** The end of a simulated process, on its way up to the scheduler. */
final class Crash extends Error {
  private static final long serialVersionUID = 1L;

  Crash(String process) {
    super(process + " is dead", null, false, false);
  }
}

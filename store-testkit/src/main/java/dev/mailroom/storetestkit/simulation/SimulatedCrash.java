package dev.mailroom.storetestkit.simulation;

/** Unwinds the stack of a simulated process that has crashed, up to the scheduler. */
final class SimulatedCrash extends Error {
  private static final long serialVersionUID = 1L;

  SimulatedCrash(String process) {
    super(process + " is dead", null, false, false);
  }
}

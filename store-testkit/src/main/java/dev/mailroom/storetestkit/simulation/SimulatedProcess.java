package dev.mailroom.storetestkit.simulation;

/** A simulated process, which can crash. */
final class SimulatedProcess {
  final String name;
  private final boolean restarts;
  private boolean dead;

  /**
   * A living process.
   *
   * @param restarts whether it restarts at once after a crash, with empty memory
   */
  SimulatedProcess(String name, boolean restarts) {
    this.name = name;
    this.restarts = restarts;
  }

  boolean isDead() {
    return dead;
  }

  void requireAlive() {
    if (dead) {
      throw new SimulatedCrash(name);
    }
  }

  /** Marks the process as dead; the caller throws the returned error. */
  SimulatedCrash die() {
    dead = !restarts;
    return new SimulatedCrash(name);
  }
}

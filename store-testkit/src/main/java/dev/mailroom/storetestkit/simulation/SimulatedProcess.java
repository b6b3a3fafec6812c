package dev.mailroom.storetestkit.simulation;

/** A simulated process: what dies. */
final class SimulatedProcess {
  final String name;
  private final boolean restarts;
  private boolean dead;

  /**
   * A living process.
   *
   * @param restarts whether it is back at once after its death, having forgotten everything
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
      throw new Crash(name);
    }
  }

  /** Dies; the caller throws the answer. */
  Crash die() {
    dead = !restarts;
    return new Crash(name);
  }
}

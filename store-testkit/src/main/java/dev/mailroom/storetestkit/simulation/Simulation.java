package dev.mailroom.storetestkit.simulation;

/**
 * One run of the simulated cluster; see the package description. A store author runs many, with
 * {@link SimulationSuite}, and a single one to replay a failure.
 */
public final class Simulation {
  private final SimulationOptions options;
  private final StoreOpener opener;

  /**
   * A simulation, ready to run.
   *
   * @param options what is simulated; {@link SimulationOptions#of} draws it from a seed
   * @param opener opens the store under it, at every run
   */
  public Simulation(SimulationOptions options, StoreOpener opener) {
    this.options = options;
    this.opener = opener;
  }

  /**
   * Runs it on the caller's thread.
   *
   * @throws SimulationFailure if an invariant was broken
   */
  public SimulationReport run() {
    return new SimulatedCluster(options, opener).run();
  }
}

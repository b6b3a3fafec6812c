package dev.mailroom.storetestkit.simulation;

import dev.mailroom.storetestkit.simulation.SimulatedMessage.Fate;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * What happened in a simulation that broke nothing.
 *
 * @param options what was simulated
 * @param faults how often each fault happened
 * @param completed how many messages were completed
 * @param dead how many were dead in the end
 * @param arrived how many came leased as they were written
 * @param simulated how much time passed in it
 * @param lateCommits how long messages of late commits waited
 * @param events everything in order; equal for equal seeds
 */
public record SimulationReport(
    SimulationOptions options,
    Map<Fault, Integer> faults,
    int completed,
    int dead,
    int arrived,
    Duration simulated,
    LateCommitDelays lateCommits,
    List<String> events) {

  static SimulationReport of(World world) {
    return new SimulationReport(
        world.model.options,
        new EnumMap<>(world.plan.counts()),
        count(world.model, Fate.COMPLETED),
        count(world.model, Fate.DEAD),
        world.claims.arrived(),
        Duration.ofNanos(world.time.nanos()),
        world.lateCommits.delays(),
        world.model.log.all());
  }

  private static int count(Model model, Fate fate) {
    int count = 0;
    for (SimulatedMessage message : model.messages()) {
      count += message.fate == fate ? 1 : 0;
    }
    return count;
  }

  /** How many faults there were in all. */
  public int faultCount() {
    return faults.values().stream().mapToInt(Integer::intValue).sum();
  }
}

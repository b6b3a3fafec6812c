package dev.mailroom.storetestkit.simulation;

import dev.mailroom.storetestkit.simulation.SimulatedMessage.State;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * The result of a simulation in which every invariant held.
 *
 * @param options what was simulated
 * @param faults how often each fault happened
 * @param completed how many messages were completed
 * @param dead how many were dead in the end
 * @param leasedOnAppend how many messages were leased as they were appended
 * @param simulated how much time passed in it
 * @param lateCommits how long messages of late commits waited
 * @param events everything in order; equal for equal seeds
 */
public record SimulationReport(
    SimulationOptions options,
    Map<Fault, Integer> faults,
    int completed,
    int dead,
    int leasedOnAppend,
    Duration simulated,
    LateCommitDelays lateCommits,
    List<String> events) {

  static SimulationReport of(SimulatedCluster cluster) {
    return new SimulationReport(
        cluster.model.options,
        new EnumMap<>(cluster.plan.counts()),
        count(cluster.model, State.COMPLETED),
        count(cluster.model, State.DEAD),
        cluster.leases.leasedOnAppend(),
        Duration.ofNanos(cluster.time.nanos()),
        cluster.lateCommits.delays(),
        cluster.model.log.all());
  }

  private static int count(StoreModel model, State state) {
    int count = 0;
    for (SimulatedMessage message : model.messages()) {
      count += message.state == state ? 1 : 0;
    }
    return count;
  }

  /** How many faults there were in all. */
  public int faultCount() {
    return faults.values().stream().mapToInt(Integer::intValue).sum();
  }
}

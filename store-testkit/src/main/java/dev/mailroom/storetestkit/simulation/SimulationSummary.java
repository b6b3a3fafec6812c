package dev.mailroom.storetestkit.simulation;

import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;

/** The totals of many simulations. Not thread-safe. */
public final class SimulationSummary {
  private final Map<Fault, Integer> faults = new EnumMap<>(Fault.class);
  private int runs;
  private long messages;
  private long completed;
  private long dead;
  private long leasedOnAppend;
  private int fewestMessages = Integer.MAX_VALUE;
  private int fewestWorkers = Integer.MAX_VALUE;
  private int fewestFaults = Integer.MAX_VALUE;
  private Duration simulated = Duration.ZERO;
  private LateCommitDelays lateCommits = LateCommitDelays.NONE;

  SimulationSummary() {}

  void add(SimulationReport report) {
    runs++;
    messages += report.options().messages();
    completed += report.completed();
    dead += report.dead();
    leasedOnAppend += report.leasedOnAppend();
    fewestMessages = Math.min(fewestMessages, report.options().messages());
    fewestWorkers = Math.min(fewestWorkers, report.options().workers());
    fewestFaults = Math.min(fewestFaults, report.faultCount());
    simulated = simulated.plus(report.simulated());
    lateCommits = lateCommits.and(report.lateCommits());
    report.faults().forEach((fault, count) -> faults.merge(fault, count, Integer::sum));
  }

  /** How many simulations there were. */
  public int runs() {
    return runs;
  }

  /** How often that fault happened. */
  public int count(Fault fault) {
    return faults.getOrDefault(fault, 0);
  }

  /** The fewest messages of one simulation. */
  public int fewestMessages() {
    return fewestMessages;
  }

  /** The fewest workers of one simulation. */
  public int fewestWorkers() {
    return fewestWorkers;
  }

  /** The fewest faults of one simulation. */
  public int fewestFaults() {
    return fewestFaults;
  }

  /** How many messages were leased as they were appended. */
  public long leasedOnAppend() {
    return leasedOnAppend;
  }

  /** How long messages of late commits waited. */
  public LateCommitDelays lateCommits() {
    return lateCommits;
  }

  @Override
  public String toString() {
    return runs
        + " simulations: "
        + messages
        + " messages written, of which "
        + leasedOnAppend
        + " were leased as they were appended, "
        + completed
        + " completed, "
        + dead
        + " dead in the end, "
        + simulated.toHours()
        + " hours of simulated time\n  faults: "
        + faults
        + ", at least "
        + fewestFaults
        + " each\n  "
        + lateCommits.count()
        + " unordered messages committed late; from the commit to the first lease at most "
        + lateCommits.longest()
        + " and "
        + lateCommits.passes()
        + " claims, of which "
        + lateCommits.missed()
        + " had room for the message";
  }
}

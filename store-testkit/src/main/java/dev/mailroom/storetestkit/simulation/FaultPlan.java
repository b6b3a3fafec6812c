package dev.mailroom.storetestkit.simulation;

import java.util.EnumMap;
import java.util.Map;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/** The faults of a run: how many are left, and which comes next. */
final class FaultPlan {
  private static final Fault[] OF_CALLS = {
    Fault.BEFORE_COMMIT, Fault.AFTER_COMMIT, Fault.LOST_REPLY, Fault.DELAY, Fault.DUPLICATE_DELIVERY
  };

  /** The approximate number of calls of a run, to spread its faults over all of them. */
  private static final int CALLS = 400;

  private final SplittableRandom random;
  private final double rate;
  private final Map<Fault, Integer> counts = new EnumMap<>(Fault.class);
  private int left;
  private boolean stopped;

  FaultPlan(SplittableRandom random, int faults) {
    this.random = random;
    this.rate = (double) faults / CALLS;
    this.left = faults;
  }

  /** What goes wrong with the next call, or null. */
  @Nullable Fault onCall() {
    if (stopped || left == 0 || random.nextDouble() >= rate) {
      return null;
    }
    Fault fault = OF_CALLS[random.nextInt(OF_CALLS.length)];
    spend(fault);
    return fault;
  }

  /** Whether this fault may happen now; then it is counted. */
  boolean spend(Fault fault) {
    if (stopped || left == 0) {
      return false;
    }
    left--;
    count(fault);
    return true;
  }

  /** Counts a fault that the message's behaviour causes. */
  void count(Fault fault) {
    if (!stopped) {
      counts.merge(fault, 1, Integer::sum);
    }
  }

  int left() {
    return left;
  }

  void stop() {
    stopped = true;
  }

  boolean isStopped() {
    return stopped;
  }

  Map<Fault, Integer> counts() {
    return counts;
  }
}

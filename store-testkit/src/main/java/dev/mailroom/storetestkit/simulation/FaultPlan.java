package dev.mailroom.storetestkit.simulation;

import java.util.EnumMap;
import java.util.Map;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/** How many faults are left, and which comes next. */
final class FaultPlan {
  private static final Fault[] OF_CALLS = {
    Fault.BEFORE_COMMIT, Fault.AFTER_COMMIT, Fault.LOST_REPLY, Fault.DELAY, Fault.DUPLICATE_DELIVERY
  };

  /** About so many calls a run makes: this spreads its faults over all of them. */
  private static final int CALLS = 400;

  private final SplittableRandom random;
  private final double rate;
  private final Map<Fault, Integer> counts = new EnumMap<>(Fault.class);
  private int left;
  private boolean quiet;

  FaultPlan(SplittableRandom random, int faults) {
    this.random = random;
    this.rate = (double) faults / CALLS;
    this.left = faults;
  }

  /** What goes wrong with the next call, or null. */
  @Nullable Fault onCall() {
    if (quiet || left == 0 || random.nextDouble() >= rate) {
      return null;
    }
    Fault fault = OF_CALLS[random.nextInt(OF_CALLS.length)];
    spend(fault);
    return fault;
  }

  /** Whether this fault may happen now; then it is counted. */
  boolean spend(Fault fault) {
    if (quiet || left == 0) {
      return false;
    }
    left--;
    count(fault);
    return true;
  }

  /** Counts a fault that a message brings with it. */
  void count(Fault fault) {
    if (!quiet) {
      counts.merge(fault, 1, Integer::sum);
    }
  }

  int left() {
    return left;
  }

  void beQuiet() {
    quiet = true;
  }

  boolean isQuiet() {
    return quiet;
  }

  Map<Fault, Integer> counts() {
    return counts;
  }
}

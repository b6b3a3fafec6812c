package dev.mailroom.storetestkit.simulation;

import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A lease as the model knows it. It has a number because tokens may differ from run to run. */
final class SimulatedLease {
  final int number;
  final UUID token;
  final String worker;
  final List<Holding> holdings = new ArrayList<>();

  /** When it runs out, in nanoseconds of simulated time. */
  long until;

  SimulatedLease(int number, UUID token, String worker, long until) {
    this.number = number;
    this.token = token;
    this.worker = worker;
    this.until = until;
  }

  /** Whether some of its messages are still held under it. */
  boolean isOpen() {
    for (Holding holding : holdings) {
      if (holding.open) {
        return true;
      }
    }
    return false;
  }

  @Nullable Holding of(SimulatedMessage message) {
    for (Holding holding : holdings) {
      if (holding.message == message) {
        return holding;
      }
    }
    return null;
  }

  @Override
  public String toString() {
    return "L" + number;
  }
}

package dev.mailroom.storetestkit.simulation;

import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A lease in the model. It has a number because tokens may differ from run to run. */
final class SimulatedLease {
  final int number;
  final UUID token;
  final String worker;
  final List<LeasedMessage> messages = new ArrayList<>();

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
    for (LeasedMessage leased : messages) {
      if (leased.open) {
        return true;
      }
    }
    return false;
  }

  @Nullable LeasedMessage of(SimulatedMessage message) {
    for (LeasedMessage leased : messages) {
      if (leased.message == message) {
        return leased;
      }
    }
    return null;
  }

  @Override
  public String toString() {
    return "L" + number;
  }
}

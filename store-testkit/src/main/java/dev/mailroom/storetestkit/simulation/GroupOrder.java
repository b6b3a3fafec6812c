package dev.mailroom.storetestkit.simulation;

import dev.mailroom.storetestkit.simulation.LeasedMessage.ExpectedOutcome;
import java.util.List;

/** {@link Invariant#GROUP_ORDER}. */
final class GroupOrder extends InvariantChecker {

  GroupOrder(StoreModel model) {
    super(model, Invariant.GROUP_ORDER);
  }

  @Override
  void started(List<LeasedMessage> call) {
    for (int i = 0; i < call.size(); i++) {
      LeasedMessage leased = call.get(i);
      for (SimulatedMessage other : model().groupMembers(leased.message)) {
        if (blocks(other, leased.message) && !call.subList(0, i).contains(other.leased)) {
          check(
              isDoneUnder(leased.lease, other),
              () -> "a handler started " + leased + " before " + other + ", which goes first");
        }
      }
    }
  }

  private boolean blocks(SimulatedMessage other, SimulatedMessage message) {
    boolean blocking =
        (other.isLive() && !other.perhapsCollapsed) || (other.isDead() && model().parksGroups());
    return blocking && other != message && other.position.goesBefore(message.position);
  }

  /** Handled under the same lease; later messages do not wait until its outcome is stored. */
  private boolean isDoneUnder(SimulatedLease lease, SimulatedMessage other) {
    LeasedMessage earlier = lease.of(other);
    return earlier != null && earlier.expected != null && !blocksGroup(earlier.expected);
  }

  private boolean blocksGroup(ExpectedOutcome expected) {
    return blocksGroup(model(), expected);
  }

  /** Whether later messages of the group have to wait. */
  static boolean blocksGroup(StoreModel model, ExpectedOutcome expected) {
    return switch (expected) {
      case COMPLETE -> false;
      case RETRY, DEFER -> true;
      case DIE -> model.parksGroups();
    };
  }
}

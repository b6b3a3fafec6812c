package dev.mailroom.storetestkit.simulation;

import dev.mailroom.storetestkit.simulation.Holding.Verdict;
import java.util.List;

/** {@link Invariant#GROUP_ORDER}. */
final class GroupOrder extends Checker {

  GroupOrder(Model model) {
    super(model, Invariant.GROUP_ORDER);
  }

  @Override
  void started(List<Holding> call) {
    for (int i = 0; i < call.size(); i++) {
      Holding holding = call.get(i);
      for (SimulatedMessage other : model().companions(holding.message)) {
        if (blocks(other, holding.message) && !call.subList(0, i).contains(other.holding)) {
          check(
              isDoneUnder(holding.lease, other),
              () -> "a handler started " + holding + " before " + other + ", which goes first");
        }
      }
    }
  }

  private boolean blocks(SimulatedMessage other, SimulatedMessage message) {
    boolean inTheWay =
        (other.isLive() && !other.perhapsCollapsed) || (other.isDead() && model().parks());
    return inTheWay && other != message && other.place.goesBefore(message.place);
  }

  /** Handled in the same turn; that its outcome is not stored yet does not hold up the others. */
  private boolean isDoneUnder(SimulatedLease lease, SimulatedMessage other) {
    Holding earlier = lease.of(other);
    return earlier != null && earlier.verdict != null && !holdsUp(earlier.verdict);
  }

  private boolean holdsUp(Verdict verdict) {
    return holdsUp(model(), verdict);
  }

  /** Whether those behind it have to wait. */
  static boolean holdsUp(Model model, Verdict verdict) {
    return switch (verdict) {
      case COMPLETE -> false;
      case RETRY, DEFER -> true;
      case DIE -> model.parks();
    };
  }
}

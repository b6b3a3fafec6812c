package dev.mailroom.storetestkit.simulation;

import dev.mailroom.spi.LeaseRequest;
import dev.mailroom.spi.Settlement;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** {@link Invariant#ONE_HOLDER}. */
final class OneHolder extends Checker {

  OneHolder(Model model) {
    super(model, Invariant.ONE_HOLDER);
  }

  @Override
  void leased(SimulatedLease lease, LeaseRequest request) {
    check(model().lease(lease.token) == null, () -> lease + " has a token that was used before");
    for (Holding holding : lease.holdings) {
      SimulatedMessage message = holding.message;
      check(
          message.holding == null,
          () -> message + " was leased under " + lease + " while held as " + message.holding);
      for (SimulatedMessage other : model().companions(message)) {
        check(
            other.holding == null,
            () ->
                message
                    + " was leased under "
                    + lease
                    + " while its group is held by "
                    + other.holding);
      }
      check(lease.of(message) == holding, () -> message + " is in " + lease + " twice");
    }
  }

  @Override
  void started(List<Holding> call) {
    for (Holding holding : call) {
      check(holding.open, () -> "a handler started " + holding + ", which is no longer held");
      check(!holding.isStarted(), () -> "a handler started " + holding + " for the second time");
      check(
          model().now() <= holding.lease.until,
          () -> "a handler started " + holding + " after the lease had run out");
    }
  }

  @Override
  void settled(Settlement settlement, @Nullable Holding held, boolean refused) {
    if (held == null) {
      check(refused, () -> "a stale outcome of " + nameOf(settlement) + " was not refused");
    } else {
      check(!refused, () -> "the outcome of " + held + " was refused although it is held");
    }
  }

  private String nameOf(Settlement settlement) {
    return model().message(settlement.id()) + "/" + model().lease(settlement.token());
  }

  @Override
  void extended(SimulatedLease lease, boolean refused) {
    check(
        refused != lease.isOpen(),
        () ->
            lease
                + (refused ? " is held, but was" : " is lost, but was not")
                + " refused an extension");
  }

  @Override
  void atRest() {
    check(model().openLeases().isEmpty(), () -> "leases are left over: " + model().openLeases());
  }
}

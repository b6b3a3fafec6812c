package dev.mailroom.storetestkit.simulation;

import dev.mailroom.spi.LeaseRequest;
import dev.mailroom.spi.Settlement;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** {@link Invariant#ONE_LEASE_HOLDER}. */
final class OneLeaseHolder extends InvariantChecker {

  OneLeaseHolder(StoreModel model) {
    super(model, Invariant.ONE_LEASE_HOLDER);
  }

  @Override
  void leased(SimulatedLease lease, LeaseRequest request) {
    check(model().lease(lease.token) == null, () -> lease + " has a token that was used before");
    for (LeasedMessage leased : lease.messages) {
      SimulatedMessage message = leased.message;
      check(
          message.leased == null,
          () -> message + " was leased under " + lease + " while held as " + message.leased);
      for (SimulatedMessage other : model().groupMembers(message)) {
        check(
            other.leased == null,
            () ->
                message
                    + " was leased under "
                    + lease
                    + " while its group is held by "
                    + other.leased);
      }
      check(lease.of(message) == leased, () -> message + " is in " + lease + " twice");
    }
  }

  @Override
  void started(List<LeasedMessage> call) {
    for (LeasedMessage leased : call) {
      check(leased.open, () -> "a handler started " + leased + ", which is no longer held");
      check(!leased.isStarted(), () -> "a handler started " + leased + " for the second time");
      check(
          model().now() <= leased.lease.until,
          () -> "a handler started " + leased + " after the lease had run out");
    }
  }

  @Override
  void settled(Settlement settlement, @Nullable LeasedMessage held, boolean refused) {
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
  void drained() {
    check(model().openLeases().isEmpty(), () -> "leases are left over: " + model().openLeases());
  }
}

package dev.mailroom.storetestkit.simulation;

import dev.mailroom.spi.LeaseRequest;

/** {@link Invariant#DUE_AND_NOT_EXPIRED}. */
final class DueAndNotExpired extends InvariantChecker {

  DueAndNotExpired(StoreModel model) {
    super(model, Invariant.DUE_AND_NOT_EXPIRED);
  }

  @Override
  void leased(SimulatedLease lease, LeaseRequest request) {
    for (LeasedMessage leased : lease.messages) {
      SimulatedMessage message = leased.message;
      check(
          model().now() >= message.notBefore,
          () -> message + " was leased " + (message.notBefore - model().now()) + " ns too early");
      check(
          model().now() <= message.mustExpireAt,
          () -> message + " was leased after its lifetime had ended");
    }
  }
}

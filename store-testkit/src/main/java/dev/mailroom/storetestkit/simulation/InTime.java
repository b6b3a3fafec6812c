package dev.mailroom.storetestkit.simulation;

import dev.mailroom.spi.LeaseRequest;

/** {@link Invariant#IN_TIME}. */
final class InTime extends Checker {

  InTime(Model model) {
    super(model, Invariant.IN_TIME);
  }

  @Override
  void leased(SimulatedLease lease, LeaseRequest request) {
    for (Holding holding : lease.holdings) {
      SimulatedMessage message = holding.message;
      check(
          model().now() >= message.notBefore,
          () -> message + " was leased " + (message.notBefore - model().now()) + " ns too early");
      check(
          model().now() <= message.mustExpireAt,
          () -> message + " was leased after its lifetime had ended");
    }
  }
}

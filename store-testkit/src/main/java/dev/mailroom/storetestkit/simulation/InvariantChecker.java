package dev.mailroom.storetestkit.simulation;

import dev.mailroom.spi.AppendResult;
import dev.mailroom.spi.LeaseRequest;
import dev.mailroom.spi.Settlement;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Checks one invariant. Each method is called after a store call and before the model is updated.
 */
abstract class InvariantChecker {
  private final StoreModel model;
  private final Invariant invariant;

  InvariantChecker(StoreModel model, Invariant invariant) {
    this.model = model;
    this.invariant = invariant;
  }

  final StoreModel model() {
    return model;
  }

  /** The text is a supplier because most checks pass. */
  final void check(boolean holds, Supplier<String> otherwise) {
    if (!holds) {
      throw model.failure(invariant, otherwise.get(), null);
    }
  }

  /** A message was appended; {@code taken} is what is remembered of its deduplication key. */
  void appended(
      SimulatedMessage message, @Nullable UsedDeduplicationKey taken, AppendResult result) {}

  /** Messages were leased. */
  void leased(SimulatedLease lease, LeaseRequest request) {}

  /** A message was dead-lettered at a claim. */
  void died(SimulatedMessage message) {}

  /** A handler is called with these messages. */
  void started(List<LeasedMessage> call) {}

  /** An outcome was stored, or refused; {@code held} is null if the token is stale. */
  void settled(Settlement settlement, @Nullable LeasedMessage held, boolean refused) {}

  /** A lease was extended, or refused. */
  void extended(SimulatedLease lease, boolean refused) {}

  /** The drain phase has ended. */
  void drained() {}
}

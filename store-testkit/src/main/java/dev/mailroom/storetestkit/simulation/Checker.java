package dev.mailroom.storetestkit.simulation;

import dev.mailroom.spi.AppendResult;
import dev.mailroom.spi.LeaseRequest;
import dev.mailroom.spi.Settlement;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Checks one invariant. Each method is called when something has happened in the store, before the
 * model takes note of it.
 */
abstract class Checker {
  private final Model model;
  private final Invariant invariant;

  Checker(Model model, Invariant invariant) {
    this.model = model;
    this.invariant = invariant;
  }

  final Model model() {
    return model;
  }

  /** The text is made only if it is needed: this is called all the time. */
  final void check(boolean holds, Supplier<String> otherwise) {
    if (!holds) {
      throw model.failure(invariant, otherwise.get(), null);
    }
  }

  /** A message was appended; {@code taken} is what is remembered of its deduplication key. */
  void appended(SimulatedMessage message, @Nullable UsedKey taken, AppendResult result) {}

  /** Messages were leased. */
  void leased(SimulatedLease lease, LeaseRequest request) {}

  /** A message died at a claim. */
  void died(SimulatedMessage message) {}

  /** A handler is called with these. */
  void started(List<Holding> call) {}

  /** An outcome was stored, or refused; {@code held} is null if the token is stale. */
  void settled(Settlement settlement, @Nullable Holding held, boolean refused) {}

  /** A lease was extended, or refused. */
  void extended(SimulatedLease lease, boolean refused) {}

  /** The world has come to rest. */
  void atRest() {}
}

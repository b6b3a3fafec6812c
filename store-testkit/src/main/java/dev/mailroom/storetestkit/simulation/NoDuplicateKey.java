package dev.mailroom.storetestkit.simulation;

import dev.mailroom.spi.AppendResult;
import org.jspecify.annotations.Nullable;

/** {@link Invariant#NO_DUPLICATE_KEY}. */
final class NoDuplicateKey extends InvariantChecker {

  NoDuplicateKey(StoreModel model) {
    super(model, Invariant.NO_DUPLICATE_KEY);
  }

  @Override
  void appended(
      SimulatedMessage message, @Nullable UsedDeduplicationKey taken, AppendResult result) {
    if (taken == null) {
      return;
    }
    if (result.accepted()) {
      check(
          !taken.isSurelyTaken(model().now()),
          () -> message + " was accepted although " + taken.message + " has its key");
    } else if (taken.isSurelyTaken(model().now()) && !message.exists()) {
      check(
          result.id().equals(taken.message.id),
          () -> message + " is a duplicate of " + result.id() + " instead of " + taken.message);
    }
  }
}

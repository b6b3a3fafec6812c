package dev.mailroom.test;

import dev.mailroom.transactions.Transaction;
import org.jspecify.annotations.Nullable;

/** What the deliveries of one handler call share: the transaction and the lease. */
final class HandlerCall {
  private final @Nullable Transaction transaction;
  private boolean begun;
  private boolean leaseLost;

  HandlerCall(@Nullable Transaction transaction) {
    this.transaction = transaction;
  }

  /** The next call, with the same transaction. */
  HandlerCall again() {
    return new HandlerCall(transaction);
  }

  Transaction begin() {
    if (transaction == null) {
      throw new UnsupportedOperationException(
          "This test delivery has no transaction: give it one with transaction(…).");
    }
    begun = true;
    return transaction;
  }

  boolean isBegun() {
    return begun;
  }

  void loseLease() {
    leaseLost = true;
  }

  boolean isLeaseLost() {
    return leaseLost;
  }
}

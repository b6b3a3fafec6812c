package dev.mailroom.transactions;

import org.jspecify.annotations.Nullable;

/**
 * Knows the transaction that the calling thread is in, so that writes join it without being told.
 * Asked at every write that names no transaction: quick, and safe for use by many threads.
 */
@FunctionalInterface
public interface CurrentTransaction {

  /** The calling thread's transaction, or null if it is in none. */
  @Nullable Transaction current();
}

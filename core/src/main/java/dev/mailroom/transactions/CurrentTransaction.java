package dev.mailroom.transactions;

import org.jspecify.annotations.Nullable;

/**
 * Finds the calling thread's transaction, so that writes join it without naming it. Called at every
 * write that names no transaction: quick and thread-safe.
 */
@FunctionalInterface
public interface CurrentTransaction {

  /** The calling thread's transaction, or null if it is in none. */
  @Nullable Transaction current();
}

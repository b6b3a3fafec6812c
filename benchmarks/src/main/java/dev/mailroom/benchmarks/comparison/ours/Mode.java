package dev.mailroom.benchmarks.comparison.ours;

/** How Mailroom is used. */
public enum Mode {
  /** One call of the handler per message. */
  SINGLE,
  /** One call per batch. */
  BATCHED,
  /** One call per batch, which is completed in the handler's transaction. */
  TRANSACTIONAL,
  /** One call per message, in order within each group. */
  ORDERED,
  /** As {@link #SINGLE}, and writers at the same time share an append. */
  COALESCING
}

package dev.mailroom.storetestkit.simulation;

/** What must be true whatever goes wrong. */
public enum Invariant {
  /**
   * Every accepted message is completed by a handler, or ends by rule: dead, collapsed, cancelled,
   * discarded. Nothing appears that was never written, was rolled back or has ended, and outcomes
   * are what the handlers said.
   */
  NOTHING_LOST,
  /**
   * A message, and an ordered group, is held under one lease at a time; a stale token changes
   * nothing and is reported; no handler starts under a lease that has run out.
   */
  ONE_HOLDER,
  /** No message of a group is started before those that go before it are done. */
  GROUP_ORDER,
  /** Attempts, crashes and deferrals are counted as they happen, and stay within their limits. */
  BOUNDED_ATTEMPTS,
  /** Of messages with an equal deduplication key only one is accepted within the window. */
  ONCE_BY_KEY,
  /** Nothing is handled before it is due or after its lifetime. */
  IN_TIME,
  /** When nothing goes wrong any more, everything gets done. */
  PROGRESS,
  /** No verb throws what its contract does not say. */
  NO_SURPRISE
}

package dev.mailroom.storetestkit.simulation;

/** What must hold under every fault. */
public enum Invariant {
  /**
   * Every accepted message is completed by a handler, or ends by rule: dead, collapsed, cancelled,
   * discarded. Nothing appears that was never written, was rolled back or has ended, and outcomes
   * are what the handlers said.
   */
  NO_MESSAGE_LOST,
  /**
   * A message, and an ordered group, is held under one lease at a time; a stale token changes
   * nothing and is reported; no handler starts under an expired lease.
   */
  ONE_LEASE_HOLDER,
  /** The messages of a group are started in order: each after the earlier ones are handled. */
  GROUP_ORDER,
  /** Attempts, crashes and deferrals are counted as they happen, and stay within their limits. */
  BOUNDED_ATTEMPTS,
  /** Within the window only one message with a deduplication key is accepted. */
  NO_DUPLICATE_KEY,
  /** A message is leased when it is due and before its lifetime ends. */
  DUE_AND_NOT_EXPIRED,
  /** Without further faults every message is settled. */
  PROGRESS,
  /** No call throws an exception that its contract does not declare. */
  NO_UNEXPECTED_EXCEPTION
}

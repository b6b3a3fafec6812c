package dev.mailroom.benchmarks.comparison.results;

/** What a contender is in a comparison. */
public enum Role {
  /** Raw SQL that does the least that could be done: what everyone is held against. */
  FLOOR,
  /** Mailroom, in one of its modes. */
  OURS,
  /** Another library. */
  PEER
}

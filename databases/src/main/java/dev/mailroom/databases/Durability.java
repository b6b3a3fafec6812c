package dev.mailroom.databases;

/** What a server does before it answers a commit. */
public enum Durability {
  /** Waits for the disk, as in production. Measure with this one. */
  FULL,

  /**
   * Hands the commit to the operating system and does not wait for the disk. Committed data
   * survives {@link DatabaseServer#stopImmediately()} all the same, but not a power failure. For
   * tests.
   */
  RELAXED
}

package dev.mailroom.spi;

/** What clean-up removes, each in bounded batches. */
public enum Purge {
  /** Dead letters past the channel's lifetime for them; never one that its group waits for. */
  DEAD_LETTERS,
  /** Deduplication records past the window they were stored with. */
  DEDUPLICATION,
  /** Bookkeeping of groups that have no messages. */
  IDLE_GROUPS,
  /** Completed messages past the time the channel keeps them. */
  HISTORY
}

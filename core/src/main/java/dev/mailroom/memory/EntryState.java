package dev.mailroom.memory;

/** Where a message stands. */
enum EntryState {
  /** Written in a transaction that is still open; only its id and key are taken. */
  STAGED,
  /** Due, or waiting behind another of its group. */
  READY,
  /** On the timeline until its time comes. */
  SCHEDULED,
  /** Held under a lease. */
  LEASED,
  /** A dead letter. */
  DEAD,
  /** Kept as history. */
  COMPLETED,
  /** No longer in the store. */
  GONE
}

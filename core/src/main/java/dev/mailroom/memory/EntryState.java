package dev.mailroom.memory;

/** The state of a message. */
enum EntryState {
  /** Written in a transaction that is still open; only its id and key are reserved. */
  STAGED,
  /** Due, or waiting behind another of its group. */
  READY,
  /** Scheduled for its due time. */
  SCHEDULED,
  /** Leased. */
  LEASED,
  /** A dead letter. */
  DEAD,
  /** Kept as history. */
  COMPLETED,
  /** No longer in the store. */
  GONE
}

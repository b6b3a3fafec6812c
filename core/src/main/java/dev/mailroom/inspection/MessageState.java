package dev.mailroom.inspection;

/** Where a message stands. */
public enum MessageState {
  /** Due, or waiting behind another of its group. */
  READY,
  /** Visible at a later time. */
  SCHEDULED,
  /** Held by a worker. */
  LEASED,
  /** A dead letter. */
  DEAD,
  /** Completed and kept as history. */
  COMPLETED
}

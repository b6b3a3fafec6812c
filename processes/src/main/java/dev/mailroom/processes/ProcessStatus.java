package dev.mailroom.processes;

/** How far a process instance has come. */
public enum ProcessStatus {
  /** It waits for messages. */
  RUNNING,
  /** A step has completed it. */
  COMPLETED,
  /** A step has given it up, and its undo commands were sent. */
  FAILED
}

package dev.mailroom.processes;

/** How far a process instance has come. */
public enum ProcessStatus {
  /** It waits for messages. */
  RUNNING,
  /** A step has completed it. */
  COMPLETED,
  /** It has failed, and its compensations were written. */
  FAILED
}

package dev.mailroom.processes;

/** What becomes of a message for which there is no process instance. */
public enum MissingInstance {
  /** It starts one, from the initial state. */
  START,
  /** It is ignored and completed. */
  IGNORE,
  /** It is dead-lettered at once. */
  DEAD_LETTER
}

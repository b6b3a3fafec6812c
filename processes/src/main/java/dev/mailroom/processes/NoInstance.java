package dev.mailroom.processes;

/** What becomes of a message for which there is no process instance. */
public enum NoInstance {
  /** It starts one, from the initial state. */
  START,
  /** It is done with: what it is about is over, or never was. */
  IGNORE,
  /** It is dead at once, so that somebody looks at it. */
  DEAD_LETTER
}

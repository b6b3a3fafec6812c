package dev.mailroom.storetestkit.simulation;

/** What goes wrong; the whole list. */
public enum Fault {
  /** A call fails for a moment before it takes effect. */
  BEFORE_COMMIT,
  /** A call takes effect, and then the process that made it dies. */
  AFTER_COMMIT,
  /** A call takes effect, but its reply is lost. */
  LOST_REPLY,
  /** Time passes while a call is on its way there or back. */
  DELAY,
  /** A call takes effect twice; the caller gets either answer. */
  DUPLICATE_DELIVERY,
  /** A worker dies, between two steps or inside a handler. */
  CRASH,
  /** A worker's wall clock jumps, forwards or backwards. */
  CLOCK_DRIFT,
  /** A transaction commits long after its writes. */
  LATE_COMMIT
}

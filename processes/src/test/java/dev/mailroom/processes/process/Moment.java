package dev.mailroom.processes.process;

/** Where the process that takes a step can be killed. */
enum Moment {
  LEASED(false),
  STATE_READ(false),
  IN_THE_STEP(false),
  STEP_DECIDED(false),
  BEFORE_COMMIT(false),
  COMMITTED(true),
  RETURNED(true);

  /** Whether the step has happened, with all that belongs to it. */
  final boolean done;

  Moment(boolean done) {
    this.done = done;
  }
}

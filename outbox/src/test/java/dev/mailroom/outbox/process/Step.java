package dev.mailroom.outbox.process;

/** Where the process that places an order and publishes its event can be killed. */
enum Step {
  BEGUN(0),
  STATE_WRITTEN(0),
  EVENT_ADDED(0),
  BEFORE_COMMIT(0),
  ROLLED_BACK(0),
  COMMITTED(1),
  DISPATCHING(1),
  /** The receiver has it, and the outbox does not know: it is redelivered under the same id. */
  PUBLISHED(2),
  BEFORE_SETTLING(2),
  SETTLED(1);

  /** How often the event is published in the end, by the killed process and by the next one. */
  final int published;

  Step(int published) {
    this.published = published;
  }

  boolean isCommitted() {
    return published > 0;
  }
}

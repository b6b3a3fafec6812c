package dev.mailroom.internal.engine;

import java.time.Duration;

/** Looks after handlers that have a time limit. */
final class HandlerWatch implements Service {
  private static final Duration INTERVAL = Duration.ofMillis(20);

  private final Workers workers;
  private final Signal signal = new Signal();

  HandlerWatch(Workers workers) {
    this.workers = workers;
  }

  @Override
  public String name() {
    return "handler-watch";
  }

  @Override
  public Signal signal() {
    return signal;
  }

  @Override
  public Duration pass() {
    workers.interruptLate();
    return INTERVAL;
  }
}

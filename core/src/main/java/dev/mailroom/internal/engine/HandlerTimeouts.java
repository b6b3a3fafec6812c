package dev.mailroom.internal.engine;

import java.time.Duration;

/** Interrupts handlers that exceed their timeout. */
final class HandlerTimeouts implements Service {
  private static final Duration INTERVAL = Duration.ofMillis(20);

  private final Workers workers;
  private final Signal signal = new Signal();

  HandlerTimeouts(Workers workers) {
    this.workers = workers;
  }

  @Override
  public String name() {
    return "handler-timeouts";
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

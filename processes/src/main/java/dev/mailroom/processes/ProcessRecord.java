package dev.mailroom.processes;

import dev.mailroom.messages.Payload;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * A process instance as it is stored.
 *
 * @param status how far it has come
 * @param startedAt when its first step was, by the store's clock
 * @param changedAt when its last step was
 * @param state the encoded state of the application
 * @param timeouts the timeouts that it waits for, by name
 * @param compensations its compensations, oldest first
 * @param history what happened last
 */
record ProcessRecord(
    ProcessStatus status,
    Instant startedAt,
    Instant changedAt,
    Payload state,
    Map<String, Pending> timeouts,
    List<Compensation> compensations,
    List<ProcessEvent> history) {

  ProcessRecord {
    timeouts = Map.copyOf(timeouts);
    compensations = List.copyOf(compensations);
    history = List.copyOf(history);
  }

  /** A timeout that was requested. */
  record Pending(UUID message, Instant due) {}

  /** A message that undoes something. */
  record Compensation(String inbox, Payload payload) {}

  boolean isRunning() {
    return status == ProcessStatus.RUNNING;
  }
}

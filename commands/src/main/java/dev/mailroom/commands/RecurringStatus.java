package dev.mailroom.commands;

import dev.mailroom.messages.Contract;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A recurring command as it is stored.
 *
 * @param name its name
 * @param contract which command runs
 * @param recurrence when
 * @param missed what becomes of times that passed while no process ran it
 * @param tenant whose command it is, or null
 * @param groupKey its group, or null
 * @param nextRun the time of the run that waits; null while it is paused
 */
public record RecurringStatus(
    String name,
    Contract contract,
    Recurrence recurrence,
    MissedRuns missed,
    @Nullable String tenant,
    @Nullable String groupKey,
    @Nullable Instant nextRun) {

  /** Whether nothing runs until it is resumed. */
  public boolean isPaused() {
    return nextRun == null;
  }
}

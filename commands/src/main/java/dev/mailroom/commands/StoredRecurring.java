package dev.mailroom.commands;

import dev.mailroom.messages.Payload;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A recurring command in the store: what was registered, and the one run that waits.
 *
 * @param command the encoded command, copied into every run
 * @param recurrence when it runs
 * @param missed what becomes of missed times
 * @param tenant whose it is, or null
 * @param groupKey its group, or null
 * @param pending the run that waits; null while it is paused
 */
record StoredRecurring(
    Payload command,
    Recurrence recurrence,
    MissedRuns missed,
    @Nullable String tenant,
    @Nullable String groupKey,
    @Nullable Pending pending) {

  /**
   * A run that waits.
   *
   * @param id its message
   * @param time the time it is for
   */
  record Pending(UUID id, Instant time) {

    boolean isOverdue(Instant now) {
      return !time.isAfter(now);
    }
  }

  static StoredRecurring of(RecurringCommand definition, Payload command) {
    return new StoredRecurring(
        command,
        definition.recurrence(),
        definition.missed(),
        definition.tenant(),
        definition.groupKey(),
        null);
  }

  StoredRecurring with(@Nullable Pending other) {
    return new StoredRecurring(command, recurrence, missed, tenant, groupKey, other);
  }

  /** The time of the run after one that is due. */
  Instant timeAfter(Pending due, Instant now) {
    return recurrence.next(due.time(), missed == MissedRuns.SKIP ? now : due.time());
  }

  RecurringStatus status(String name) {
    return new RecurringStatus(
        name,
        command.contract(),
        recurrence,
        missed,
        tenant,
        groupKey,
        pending == null ? null : pending.time());
  }
}

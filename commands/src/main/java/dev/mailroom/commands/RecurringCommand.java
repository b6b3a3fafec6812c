package dev.mailroom.commands;

import dev.mailroom.HasGroupKey;
import dev.mailroom.errors.Violations;
import dev.mailroom.mediator.Command;
import dev.mailroom.mediator.ResultCommand;
import dev.mailroom.messages.Limits;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A command that runs again and again.
 *
 * @param name what it is stored under; unique in its schedule
 * @param command what is done; stored once, and the same at every run
 * @param recurrence when
 * @param missed what becomes of times that passed while no process ran it
 * @param tenant whose command it is, or null
 * @param groupKey its runs and other commands of this group go one after another, or null
 */
public record RecurringCommand(
    String name,
    Command command,
    Recurrence recurrence,
    MissedRuns missed,
    @Nullable String tenant,
    @Nullable String groupKey) {

  /** Checks all of it and reports every violation at once. */
  public RecurringCommand {
    Objects.requireNonNull(recurrence, "recurrence");
    Objects.requireNonNull(missed, "missed");
    Violations violations = new Violations("RecurringCommand");
    violations.check(
        name != null && !name.isBlank() && name.length() <= Limits.KEY_LENGTH,
        "name",
        name,
        "must not be blank, nor longer than " + Limits.KEY_LENGTH + " characters");
    violations.check(command != null, "command", null, "there is nothing to run");
    violations.check(
        !(command instanceof ResultCommand),
        "command",
        command == null ? null : command.getClass().getName(),
        "has a result, which no caller would receive: schedule a command without one");
    violations.raise();
    tenant = Limits.key("tenant", tenant);
    groupKey = Limits.key("group key", groupKey);
    if (groupKey == null && command instanceof HasGroupKey own) {
      groupKey = Limits.key("group key", own.groupKey());
    }
  }

  /** One that skips what it missed, and has neither tenant nor group. */
  public static RecurringCommand of(String name, Command command, Recurrence recurrence) {
    return new RecurringCommand(name, command, recurrence, MissedRuns.SKIP, null, null);
  }

  /** The same, with what becomes of missed times. */
  public RecurringCommand withMissed(MissedRuns other) {
    return new RecurringCommand(name, command, recurrence, other, tenant, groupKey);
  }

  /** The same for a tenant. */
  public RecurringCommand withTenant(String other) {
    return new RecurringCommand(name, command, recurrence, missed, other, groupKey);
  }

  /** The same in a group: its runs never overlap. */
  public RecurringCommand withGroupKey(String other) {
    return new RecurringCommand(name, command, recurrence, missed, tenant, other);
  }
}

package dev.mailroom.commands;

import dev.mailroom.HasGroupKey;
import dev.mailroom.errors.Violations;
import dev.mailroom.mediator.Command;
import dev.mailroom.mediator.ResultCommand;
import dev.mailroom.messages.Limits;
import java.util.Objects;
import java.util.function.Consumer;
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

  /** A recurring command with the default options: missed times are skipped. */
  public static RecurringCommand of(String name, Command command, Recurrence recurrence) {
    return new RecurringCommand(name, command, recurrence, MissedRuns.SKIP, null, null);
  }

  /**
   * A recurring command with options: {@code of("report", new SendReport(), daily, options ->
   * options.missed(MissedRuns.CATCH_UP))}.
   */
  public static RecurringCommand of(
      String name, Command command, Recurrence recurrence, Consumer<Builder> options) {
    return of(name, command, recurrence).with(options);
  }

  /** This recurring command with some options changed. */
  public RecurringCommand with(Consumer<Builder> options) {
    Builder builder = new Builder(this);
    options.accept(builder);
    return builder.build();
  }

  /** Sets options of a recurring command. Not thread-safe. */
  public static final class Builder {
    private final RecurringCommand described;
    private MissedRuns missed;
    private @Nullable String tenant;
    private @Nullable String groupKey;

    private Builder(RecurringCommand described) {
      this.described = described;
      this.missed = described.missed;
      this.tenant = described.tenant;
      this.groupKey = described.groupKey;
    }

    /** What becomes of times that passed while no process ran it. Default: skipped. */
    public Builder missed(MissedRuns value) {
      missed = value;
      return this;
    }

    /** The tenant that it belongs to. Default: none. */
    public Builder tenant(@Nullable String value) {
      tenant = value;
      return this;
    }

    /** Its group: runs and other commands of the group never overlap. Default: none. */
    public Builder groupKey(@Nullable String value) {
      groupKey = value;
      return this;
    }

    private RecurringCommand build() {
      return new RecurringCommand(
          described.name, described.command, described.recurrence, missed, tenant, groupKey);
    }
  }
}

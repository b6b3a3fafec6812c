package dev.mailroom.commands;

import dev.mailroom.HandlerOptions;
import dev.mailroom.InboxOptions;
import dev.mailroom.InboxOptionsBuilder;
import dev.mailroom.Ordering;
import dev.mailroom.Violations;
import dev.mailroom.mediator.Command;
import dev.mailroom.mediator.Mediator;
import dev.mailroom.mediator.ResultCommand;
import dev.mailroom.spi.Store;
import java.lang.reflect.Modifier;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Describes a command schedule. */
public final class CommandScheduleBuilder {
  /** The name of its channel unless another one is given: {@value}. */
  public static final String DEFAULT_NAME = "commands";

  private final Map<Class<? extends Command>, HandlerOptions> named = new LinkedHashMap<>();
  private final Set<Class<? extends Command>> elsewhere = new LinkedHashSet<>();
  private String name = DEFAULT_NAME;
  private @Nullable Mediator mediator;
  private InboxOptions options = defaults().build();
  private @Nullable Store store;

  CommandScheduleBuilder() {}

  /** The name of its channel. Default: {@value #DEFAULT_NAME}. */
  public CommandScheduleBuilder name(String value) {
    name = value;
    return this;
  }

  /** Who runs the commands. Default: nobody in this process, which then only stores them. */
  public CommandScheduleBuilder mediator(Mediator value) {
    mediator = value;
    return this;
  }

  /** Commands that this process runs. */
  @SafeVarargs
  public final CommandScheduleBuilder commands(Class<? extends Command>... types) {
    for (Class<? extends Command> type : types) {
      command(type, HandlerOptions.DEFAULT);
    }
    return this;
  }

  /** A command that this process runs, with retries or a timeout of its own. */
  public CommandScheduleBuilder command(Class<? extends Command> type, HandlerOptions own) {
    named.put(type, own);
    return this;
  }

  /** Commands that this process schedules and another one runs. */
  @SafeVarargs
  public final CommandScheduleBuilder handledElsewhere(Class<? extends Command>... types) {
    for (Class<? extends Command> type : types) {
      elsewhere.add(type);
    }
    return this;
  }

  /**
   * How the commands are run: batch size, lease, retries, concurrency and more. Its ordering is
   * {@link Ordering#WHEN_KEYED} unless another one is set.
   */
  public CommandScheduleBuilder options(UnaryOperator<InboxOptionsBuilder> change) {
    options = change.apply(defaults()).build();
    return this;
  }

  /** A store of its own. Default: the mailroom's. */
  public CommandScheduleBuilder store(Store value) {
    store = value;
    return this;
  }

  /**
   * The schedule; to be added to a mailroom.
   *
   * @throws dev.mailroom.InvalidOptionsException naming every violation
   * @throws dev.mailroom.mediator.HandlerNotFoundException if a command that is to run here has no
   *     handler
   */
  public CommandSchedule build() {
    Violations violations = new Violations("CommandSchedule");
    violations.check(
        mediator != null || named.isEmpty(),
        "mediator",
        null,
        "commands are named that this process is to run: say who runs them");
    for (Class<? extends Command> type : named.keySet()) {
      violations.check(
          !ResultCommand.class.isAssignableFrom(type),
          "command",
          type.getName(),
          "has a result, and nobody would be there to take it");
      violations.check(
          !type.isInterface() && !Modifier.isAbstract(type.getModifiers()),
          "command",
          type.getName(),
          "is abstract: name the types that are stored");
      violations.check(
          !elsewhere.contains(type),
          "command",
          type.getName(),
          "runs here, or elsewhere: not both");
    }
    violations.raise();
    if (mediator != null) {
      named.keySet().forEach(mediator::requireHandler);
    }
    return new CommandSchedule(name, new CommandTypes(mediator, named, elsewhere), options, store);
  }

  private static InboxOptionsBuilder defaults() {
    return InboxOptions.builder().ordering(Ordering.WHEN_KEYED);
  }
}

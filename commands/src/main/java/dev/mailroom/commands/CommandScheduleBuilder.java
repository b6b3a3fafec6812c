package dev.mailroom.commands;

import dev.mailroom.HandlerOptions;
import dev.mailroom.InboxOptions;
import dev.mailroom.InboxOptionsBuilder;
import dev.mailroom.MessageContract;
import dev.mailroom.errors.Violations;
import dev.mailroom.mediator.Command;
import dev.mailroom.mediator.HandlerDescription;
import dev.mailroom.mediator.Mediator;
import dev.mailroom.mediator.ResultCommand;
import dev.mailroom.options.Ordering;
import dev.mailroom.spi.Store;
import java.lang.reflect.Modifier;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Describes a command schedule. */
public final class CommandScheduleBuilder {
  /** The name of its channel unless another one is given: {@value}. */
  public static final String DEFAULT_NAME = "commands";

  private final Map<Class<? extends Command>, HandlerOptions> named = new LinkedHashMap<>();
  private final Set<Class<? extends Command>> remote = new LinkedHashSet<>();
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

  /**
   * Runs the commands that it has handlers for and that carry a {@link MessageContract} or are
   * {@link DurableCommand}s, and those that are {@linkplain #commands named}. Default: none; this
   * process then only stores commands.
   */
  public CommandScheduleBuilder mediator(Mediator value) {
    mediator = value;
    return this;
  }

  /**
   * More commands that this process runs: where the contract is registered in code, or the handler
   * is one for a base type.
   */
  @SafeVarargs
  public final CommandScheduleBuilder commands(Class<? extends Command>... types) {
    for (Class<? extends Command> type : types) {
      command(type, HandlerOptions.defaults());
    }
    return this;
  }

  /** A command that this process runs, with retries or a timeout of its own. */
  public CommandScheduleBuilder command(Class<? extends Command> type, HandlerOptions own) {
    named.put(type, own);
    return this;
  }

  /**
   * A command that this process runs, with retries or a timeout of its own: {@code
   * command(SendInvoice.class, options -> options.attempts(3))}.
   */
  public CommandScheduleBuilder command(
      Class<? extends Command> type, Consumer<HandlerOptions.Builder> own) {
    return command(type, HandlerOptions.of(own));
  }

  /** Commands that this process schedules and another one runs. */
  @SafeVarargs
  public final CommandScheduleBuilder remoteCommands(Class<? extends Command>... types) {
    for (Class<? extends Command> type : types) {
      remote.add(type);
    }
    return this;
  }

  /**
   * How the commands are run: batch size, lease, retries, concurrency and more. Its ordering is
   * {@link Ordering#WHEN_KEYED} unless another one is set.
   */
  public CommandScheduleBuilder options(Consumer<InboxOptionsBuilder> change) {
    InboxOptionsBuilder builder = options.toBuilder();
    change.accept(builder);
    options = builder.build();
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
   * @throws dev.mailroom.errors.InvalidOptionsException naming every violation
   * @throws dev.mailroom.mediator.HandlerNotFoundException if a command that is to run here has no
   *     handler
   */
  public CommandSchedule build() {
    Violations violations = new Violations("CommandSchedule");
    violations.check(
        mediator != null || named.isEmpty(),
        "mediator",
        null,
        "is required to run the commands that are named");
    named.keySet().forEach(type -> check(type, violations));
    Map<Class<? extends Command>, HandlerOptions> run = run();
    violations.check(
        mediator == null || !run.isEmpty() || !named.isEmpty(),
        "commands",
        "[]",
        "the mediator has handlers for no command with a contract: annotate commands with"
            + " @MessageContract, or name them");
    violations.raise();
    if (mediator != null) {
      run.keySet().forEach(mediator::requireHandler);
    }
    return new CommandSchedule(name, new CommandTypes(mediator, run, remote), options, store);
  }

  private void check(Class<? extends Command> type, Violations violations) {
    violations.check(
        !ResultCommand.class.isAssignableFrom(type),
        "command",
        type.getName(),
        "has a result, which no caller would receive");
    violations.check(
        isConcrete(type), "command", type.getName(), "is abstract: name the types that are stored");
    violations.check(
        !remote.contains(type),
        "command",
        type.getName(),
        "runs in this process or in another, not in both");
  }

  private Map<Class<? extends Command>, HandlerOptions> run() {
    Map<Class<? extends Command>, HandlerOptions> run = new LinkedHashMap<>(named);
    if (mediator != null) {
      for (HandlerDescription handler : mediator.handlers()) {
        Class<?> type = handler.messageType();
        if (isSchedulable(handler) && !remote.contains(type)) {
          run.putIfAbsent(type.asSubclass(Command.class), HandlerOptions.defaults());
        }
      }
    }
    return run;
  }

  private static boolean isSchedulable(HandlerDescription handler) {
    Class<?> type = handler.messageType();
    return handler.stage() == HandlerDescription.Stage.HANDLER
        && handler.tags().isEmpty()
        && Command.class.isAssignableFrom(type)
        && !ResultCommand.class.isAssignableFrom(type)
        && isConcrete(type)
        && (DurableCommand.class.isAssignableFrom(type)
            || type.isAnnotationPresent(MessageContract.class));
  }

  private static boolean isConcrete(Class<?> type) {
    return !Modifier.isAbstract(type.getModifiers()); // interfaces are abstract, too
  }

  private static InboxOptionsBuilder defaults() {
    return InboxOptions.builder().ordering(Ordering.WHEN_KEYED);
  }
}

package dev.mailroom.commands;

import dev.mailroom.HandlerOptions;
import dev.mailroom.InboxBuilder;
import dev.mailroom.mediator.Command;
import dev.mailroom.mediator.HandlerNotFoundException;
import dev.mailroom.mediator.Mediator;
import dev.mailroom.mediator.ResultCommand;
import dev.mailroom.spi.FacadeChannel;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Which commands a schedule takes, and which of them this process runs. */
final class CommandTypes {
  private final @Nullable Mediator mediator;
  private final Map<Class<? extends Command>, HandlerOptions> run;
  private final Set<Class<? extends Command>> remote;

  CommandTypes(
      @Nullable Mediator mediator,
      Map<Class<? extends Command>, HandlerOptions> run,
      Set<Class<? extends Command>> remote) {
    this.mediator = mediator;
    this.run = Map.copyOf(run);
    this.remote = Set.copyOf(remote);
  }

  /** Adds a handler for each command that this process runs. */
  void addHandlers(InboxBuilder inbox, FacadeChannel own) {
    if (mediator != null) {
      CommandRunner runner = new CommandRunner(mediator, own);
      run.forEach((type, options) -> add(inbox, type, runner, options));
    }
  }

  private static <C extends Command> void add(
      InboxBuilder inbox, Class<C> type, CommandRunner runner, HandlerOptions options) {
    HandlerOptions named =
        options.name() == null ? options.toBuilder().name(type.getName()).build() : options;
    inbox.handler(type, runner::run, named);
  }

  /** Refuses, at the call, a command that no process could run later. */
  void check(Command command) {
    Class<?> type = command.getClass();
    if (command instanceof ResultCommand) {
      throw new IllegalArgumentException(
          type.getName()
              + " has a result, which no caller would receive: send it now with the"
              + " mediator, or schedule a command without a result. Nothing was stored.");
    }
    if (mediator != null && !run.containsKey(type) && !remote.contains(type)) {
      requireHandler(mediator, type);
      throw new HandlerNotFoundException(
          type.getName()
              + " has a handler, but this schedule does not run it: annotate it with"
              + " @MessageContract, or register its contract and name it with"
              + " CommandSchedule.builder().commands(…). Nothing was stored.",
          List.of());
    }
  }

  private static void requireHandler(Mediator mediator, Class<?> type) {
    try {
      mediator.requireHandler(type);
    } catch (HandlerNotFoundException error) {
      throw new HandlerNotFoundException(
          error.getMessage()
              + " If another process runs it, name it with"
              + " CommandSchedule.builder().remoteCommands(…). Nothing was stored.",
          error.candidates());
    }
  }
}

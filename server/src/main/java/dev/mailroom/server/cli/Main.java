package dev.mailroom.server.cli;

import dev.mailroom.errors.MailroomException;
import dev.mailroom.errors.StoreException;
import dev.mailroom.errors.TransientStoreException;
import dev.mailroom.server.config.ConfigurationException;
import java.io.PrintWriter;
import java.util.Objects;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;

/** The program. */
@Command(
    name = "mailroom",
    mixinStandardHelpOptions = true,
    versionProvider = Main.Version.class,
    synopsisSubcommandLabel = "COMMAND",
    description = "Durable webhooks and inboxes: receives, stores, delivers.",
    subcommands = {
      ServeCommand.class,
      MigrateCommand.class,
      SendCommand.class,
      InboxCommand.class,
      DeadCommand.class,
      TargetCommand.class,
      DoctorCommand.class,
      ConfigCommand.class,
      CommandLine.HelpCommand.class
    },
    footer = {
      "",
      "In a clone, 'mailroom bench' measures Mailroom beside its peers; see 'mailroom bench -h'.",
      "",
      "Exit codes: 0 done; 1 it could not be done, or a check found something; 2 the command line"
          + " or the configuration is wrong; 3 the server or the store cannot be reached."
    })
public final class Main {
  private Main() {}

  /** Runs a command and ends the process with its exit code. */
  public static void main(String[] arguments) {
    System.exit(commandLine().execute(arguments));
  }

  static CommandLine commandLine() {
    return commandLine(Terminal.system());
  }

  static CommandLine commandLine(Terminal terminal) {
    return new CommandLine(new Main(), new Commands(terminal))
        .setCaseInsensitiveEnumValuesAllowed(true)
        .setUsageHelpAutoWidth(true)
        .setExecutionExceptionHandler((error, line, parsed) -> explain(error, line.getErr()));
  }

  /** The error as a sentence, without a stack trace. */
  private static int explain(Exception error, PrintWriter out) {
    if (error instanceof ConfigurationException wrong) {
      out.println("The configuration is wrong:");
      wrong.problems().forEach(problem -> out.println("  " + problem));
      return ExitCodes.USAGE;
    }
    out.println(error instanceof MailroomException ? error.getMessage() : error.toString());
    if (error instanceof CommandFailure failure) {
      return failure.exitCode();
    }
    return error instanceof TransientStoreException || error instanceof StoreException
        ? ExitCodes.UNREACHABLE
        : ExitCodes.FAILED;
  }

  /** Makes commands, with what they need from outside. */
  private record Commands(Terminal terminal) implements CommandLine.IFactory {
    @Override
    public <K> K create(Class<K> type) throws Exception {
      return type == DeadCommand.Discard.class
          ? type.cast(new DeadCommand.Discard(terminal))
          : CommandLine.defaultFactory().create(type);
    }
  }

  /** Provides the version of the jar. */
  static final class Version implements IVersionProvider {
    @Override
    public String[] getVersion() {
      String built = Main.class.getPackage().getImplementationVersion();
      return new String[] {"mailroom " + Objects.requireNonNullElse(built, "(not packaged)")};
    }
  }
}

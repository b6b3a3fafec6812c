package dev.mailroom.server.cli;

import dev.mailroom.server.StoreConnection;
import dev.mailroom.server.config.Configuration;
import dev.mailroom.server.config.OptionsReader;
import dev.mailroom.server.config.ServerOptions;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
    name = "migrate",
    mixinStandardHelpOptions = true,
    description = "Brings the store's tables up to date, or prints the SQL for it.")
final class MigrateCommand implements Callable<Integer> {
  @Mixin ConfigOptions config = new ConfigOptions();
  @Mixin Output output = new Output();

  @Option(names = "--print", description = "Only prints the SQL of all migrations.")
  boolean print;

  @Option(names = "--check", description = "Only says whether something is missing.")
  boolean check;

  @Override
  public Integer call() {
    Configuration configuration = config.read();
    ServerOptions options = OptionsReader.read(configuration);
    try (StoreConnection connection =
        StoreConnection.open(options.store(), configuration.directory())) {
      if (print) {
        output.out().print(connection.store().migrationScript());
        output.out().flush();
        return ExitCodes.OK;
      }
      if (!check) {
        connection.store().migrate();
      }
      String problem = connection.schemaProblem();
      String state = Objects.requireNonNullElse(problem, "The tables are up to date.");
      String store = options.store().shown();
      output.print(
          Map.of("store", store, "ok", problem == null, "state", state),
          out -> out.println(store + ": " + state));
      return problem == null ? ExitCodes.OK : ExitCodes.FAILED;
    }
  }
}

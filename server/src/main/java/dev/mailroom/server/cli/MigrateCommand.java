package dev.mailroom.server.cli;

import dev.mailroom.server.StoreConnection;
import dev.mailroom.server.config.Configuration;
import dev.mailroom.server.config.OptionsReader;
import dev.mailroom.server.config.ServerOptions;
import dev.mailroom.server.web.Json;
import java.io.PrintWriter;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

@Command(
    name = "migrate",
    mixinStandardHelpOptions = true,
    description = "Brings the store's tables up to date, or prints the SQL for it.")
final class MigrateCommand implements Callable<Integer> {
  @Mixin ConfigOptions config = new ConfigOptions();
  @Spec @Nullable CommandSpec spec;

  @Option(names = "--print", description = "Only prints the SQL of all migrations.")
  boolean print;

  @Option(names = "--check", description = "Only says whether something is missing.")
  boolean check;

  @Option(names = "--json", description = "Prints JSON.")
  boolean json;

  @Override
  public Integer call() {
    Configuration configuration = config.read();
    ServerOptions options = OptionsReader.read(configuration);
    PrintWriter out = Output.of(spec);
    try (StoreConnection connection =
        StoreConnection.open(options.store(), configuration.directory())) {
      if (print) {
        out.print(connection.store().migrationScript());
        out.flush();
        return ExitCodes.OK;
      }
      if (!check) {
        connection.store().migrate();
      }
      String problem = connection.schemaProblem();
      String state = Objects.requireNonNullElse(problem, "The tables are up to date.");
      if (json) {
        out.println(
            Json.pretty(
                Map.of("store", options.store().shown(), "ok", problem == null, "state", state)));
      } else {
        out.println(options.store().shown() + ": " + state);
      }
      return problem == null ? ExitCodes.OK : ExitCodes.FAILED;
    }
  }
}

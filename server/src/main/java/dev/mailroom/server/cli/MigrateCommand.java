package dev.mailroom.server.cli;

import dev.mailroom.jdbc.JdbcStore;
import dev.mailroom.server.SqliteStoreFile;
import dev.mailroom.server.StoreConnection;
import dev.mailroom.server.config.Configuration;
import dev.mailroom.server.config.OptionsReader;
import dev.mailroom.server.config.ServerOptions.StoreOptions;
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
    StoreOptions options = OptionsReader.read(configuration).store();
    if (isMissing(options, configuration)) {
      if (print) {
        return print(JdbcStore.builder("jdbc:sqlite::memory:", null, null).build());
      }
      if (check) {
        return report(options, "The file does not exist: 'mailroom migrate' creates it.", false);
      }
    }
    boolean looking = print || check;
    try (StoreConnection connection =
        looking
            ? StoreConnection.inspect(options, configuration.directory())
            : StoreConnection.open(options, configuration.directory())) {
      if (print) {
        return print(connection.store());
      }
      if (!check) {
        connection.store().migrate();
      }
      String problem = connection.schemaProblem();
      return report(
          options,
          Objects.requireNonNullElse(problem, "The tables are up to date."),
          problem == null);
    }
  }

  private static boolean isMissing(StoreOptions options, Configuration configuration) {
    return options.isEmbedded()
        && SqliteStoreFile.of(options, configuration.directory()).isMissing();
  }

  private int print(JdbcStore store) {
    try (store) {
      output.out().print(store.migrationScript());
      output.out().flush();
      return ExitCodes.OK;
    }
  }

  private int report(StoreOptions options, String state, boolean ok) {
    String store = options.shown();
    output.print(
        Map.of("store", store, "ok", ok, "state", state), out -> out.println(store + ": " + state));
    return ok ? ExitCodes.OK : ExitCodes.FAILED;
  }
}

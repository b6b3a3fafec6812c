package dev.mailroom.server.process;

import dev.mailroom.databases.Database;
import dev.mailroom.databases.Durability;
import dev.mailroom.databases.PostgresServer;
import dev.mailroom.databases.PostgresVersion;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Starts a PostgreSQL that waits for the disk and runs {@code server/load/run.sh} with it; with
 * {@code isolation} as its first argument it runs {@link IsolationRun} instead. See docs/server.md.
 */
public final class LoadRun {
  private LoadRun() {}

  public static void main(String[] arguments) throws Exception {
    if (arguments.length > 0 && arguments[0].equals("isolation")) {
      int seconds = arguments.length > 1 ? Integer.parseInt(arguments[1]) : 20;
      IsolationRun.run(seconds, arguments.length > 2 ? Integer.parseInt(arguments[2]) : 2);
      return;
    }
    Path script = Path.of(System.getProperty("load.script")).toAbsolutePath();
    List<String> command = new ArrayList<>(List.of(script.toString()));
    for (String argument : arguments) {
      if (!argument.isBlank()) {
        command.add(argument);
      }
    }
    try (Database database =
        PostgresServer.shared(PostgresVersion.V18, Durability.FULL).createDatabase()) {
      ProcessBuilder builder = new ProcessBuilder(command).inheritIO();
      builder.environment().put("MAILROOM_LOAD_POSTGRES", database.jdbcUrl());
      int code = builder.start().waitFor();
      if (code != 0) {
        throw new IllegalStateException(script + " ended with " + code);
      }
    }
  }
}

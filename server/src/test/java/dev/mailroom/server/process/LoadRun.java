package dev.mailroom.server.process;

import dev.mailroom.databases.Database;
import dev.mailroom.databases.Durability;
import dev.mailroom.databases.PostgresServer;
import dev.mailroom.databases.PostgresVersion;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Starts a PostgreSQL that waits for the disk and runs {@code server/load/run.sh} with it; see
 * docs/server.md.
 */
public final class LoadRun {
  private LoadRun() {}

  public static void main(String[] arguments) throws Exception {
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

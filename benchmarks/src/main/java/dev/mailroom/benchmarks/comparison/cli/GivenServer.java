package dev.mailroom.benchmarks.comparison.cli;

import dev.mailroom.benchmarks.comparison.results.Names;
import dev.mailroom.databases.MariaDbServer;
import dev.mailroom.databases.PostgresServer;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;

/** A server that the command line names, to be measured on instead of one that is started. */
final class GivenServer {
  private GivenServer() {}

  /** Lets the run use the server; says which database it has. */
  static String use(String url, List<String> databases, CommandLine line) {
    boolean isPostgres = url.startsWith("jdbc:postgresql:");
    if (!isPostgres && !url.startsWith("jdbc:mariadb:") && !url.startsWith("jdbc:mysql:")) {
      throw new ParameterException(
          line,
          "--url must begin with jdbc:postgresql:, jdbc:mariadb: or jdbc:mysql:, such as"
              + " jdbc:postgresql://127.0.0.1/postgres?user=…&password=…");
    }
    String database = isPostgres ? Names.POSTGRESQL : Names.MARIADB;
    if (!databases.isEmpty() && !databases.equals(List.of(database))) {
      throw new ParameterException(
          line, "--url names a server of " + database + ": leave --database out.");
    }
    System.setProperty(isPostgres ? PostgresServer.OUTSIDE : MariaDbServer.OUTSIDE, url);
    return database;
  }
}

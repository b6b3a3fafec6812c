package dev.mailroom.jdbc.process;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.mailroom.databases.Database;
import dev.mailroom.databases.DatabaseServer;
import dev.mailroom.databases.MariaDbServer;
import dev.mailroom.databases.PostgresServer;
import dev.mailroom.databases.PostgresVersion;
import java.util.List;
import java.util.function.Supplier;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The database server crashes under load and comes back; the process goes on. */
class RestartedServerTest {
  private static final int CRASHES = 3;

  /** Servers of their own, since others may be at work on those that most tests share. */
  static Iterable<Named<Supplier<DatabaseServer>>> servers() {
    return List.of(
        Named.of("PostgreSQL", () -> PostgresServer.shared(PostgresVersion.V18)),
        Named.of("MariaDB", MariaDbServer::shared));
  }

  @ParameterizedTest
  @MethodSource("servers")
  void every_write_that_returned_is_handled(Supplier<DatabaseServer> source) throws Exception {
    DatabaseServer server = source.get();
    assumeTrue(server.canBeStopped());
    try (Database database = server.createDatabase()) {
      try (Traffic traffic = new Traffic(database.jdbcUrl(), "")) {
        for (int crash = 0; crash < CRASHES; crash++) {
          traffic.awaitProgress();
          server.stopImmediately();
          server.start();
        }
        traffic.awaitProgress();
        traffic.requireAllHandled();
      } finally {
        server.start();
      }
    }
  }
}

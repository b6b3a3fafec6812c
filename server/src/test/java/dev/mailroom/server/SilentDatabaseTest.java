package dev.mailroom.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mailroom.databases.Database;
import dev.mailroom.databases.Durability;
import dev.mailroom.databases.MariaDbServer;
import dev.mailroom.databases.PostgresServer;
import dev.mailroom.databases.PostgresVersion;
import dev.mailroom.time.TimeSource;
import java.net.URI;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A database that all at once does not answer any more, without closing its connections. */
class SilentDatabaseTest {
  private static final String MESSAGES = "/api/inboxes/orders/messages";

  /** What is promised; the test has this much time and not a busy host's, since it is a promise. */
  private static final Duration PROMISED = Duration.ofSeconds(15);

  @TempDir private Path directory;

  @Test
  void requests_are_refused_in_time_and_taken_again_on_postgresql() throws Exception {
    try (Database database =
        PostgresServer.shared(PostgresVersion.V18, Durability.RELAXED).createDatabase()) {
      refusesInTime(database);
    }
  }

  @Test
  void requests_are_refused_in_time_and_taken_again_on_mariadb() throws Exception {
    try (Database database = MariaDbServer.shared(Durability.RELAXED).createDatabase()) {
      refusesInTime(database);
    }
  }

  private void refusesInTime(Database database) throws Exception {
    URI address = URI.create(database.jdbcUrl().substring("jdbc:".length()));
    try (FreezingProxy proxy = new FreezingProxy(address.getPort())) {
      String url =
          database.jdbcUrl().replace(":" + address.getPort() + "/", ":" + proxy.port() + "/");
      String yaml = "inboxes: {orders: {}}\nstore: {url: '%s', migrate: yes}\n".formatted(url);
      try (TestServer server = TestServer.start(directory, yaml)) {
        assertThat(server.post(MESSAGES, "before").statusCode()).isEqualTo(202);

        proxy.freeze();
        long start = TimeSource.system().nanos();
        HttpResponse<String> refused = server.post(MESSAGES, "lost");
        Duration waited = Duration.ofNanos(TimeSource.system().nanos() - start);

        assertThat(refused.statusCode()).isEqualTo(503);
        assertThat(refused.headers().firstValue("Retry-After")).isPresent();
        assertThat(waited).isLessThan(PROMISED);
        assertThat(server.get("/health/ready").statusCode()).isEqualTo(503);

        proxy.thaw();
        Await.until(
            "writes are taken again", () -> server.post(MESSAGES, "after").statusCode() == 202);
      }
    }
  }
}

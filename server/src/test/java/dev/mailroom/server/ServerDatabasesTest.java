package dev.mailroom.server;

import static dev.mailroom.server.TestServer.json;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mailroom.databases.Database;
import dev.mailroom.databases.Durability;
import dev.mailroom.databases.MariaDbServer;
import dev.mailroom.databases.PostgresServer;
import dev.mailroom.databases.PostgresVersion;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ServerDatabasesTest {
  @TempDir private Path directory;

  @Test
  void postgresql_is_migrated_by_command_and_then_serves() throws InterruptedException {
    try (Database database =
        PostgresServer.shared(PostgresVersion.V18, Durability.RELAXED).createDatabase()) {
      serves(database.jdbcUrl());
    }
  }

  @Test
  void mariadb_is_found_by_a_url_of_mysql() throws InterruptedException {
    try (Database database = MariaDbServer.shared(Durability.RELAXED).createDatabase()) {
      serves(database.jdbcUrl().replace("jdbc:mariadb:", "jdbc:mysql:"));
    }
  }

  private void serves(String url) throws InterruptedException {
    try (Receiver receiver = new Receiver()) {
      String yaml =
          "inboxes: {orders: {target: post}}\ntargets: {post: %s}\nstore: {url: '%s', migrate: %%s}\n"
              .formatted(receiver.target(), url);
      assertThatThrownBy(() -> TestServer.start(directory, yaml.formatted("auto")))
          .hasMessageContaining("Run 'mailroom migrate' first");
      try (TestServer server = TestServer.start(directory, yaml.formatted("yes"))) {
        assertThat(server.post("/api/inboxes/orders/messages", "hello").statusCode())
            .isEqualTo(202);
        assertThat(receiver.next().body()).isEqualTo("hello");
        assertThat(json(server.get("/health/ready")).path("status").asText()).isEqualTo("ready");
      }
    }
  }
}

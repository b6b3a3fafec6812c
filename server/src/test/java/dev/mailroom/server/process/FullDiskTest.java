package dev.mailroom.server.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mailroom.server.Await;
import dev.mailroom.server.web.Json;
import dev.mailroom.time.TimeSource;
import dev.mailroom.webhooks.Providers;
import dev.mailroom.webhooks.SampleWebhook;
import dev.mailroom.webhooks.Source;
import dev.mailroom.webhooks.WebhookRequest;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A database that answers and takes no writes: SQLite with a limit on its pages. */
class FullDiskTest {
  private static final HttpClient CLIENT =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private static final Source SOURCE =
      Source.of("sample", Providers.github()).secret("a-secret-of-github").build();

  @TempDir private Path directory;

  @Test
  void the_server_is_not_ready_while_writes_fail_and_says_so_once() throws Exception {
    Files.writeString(
        directory.resolve("mailroom.yaml"),
        """
        store: {url: 'jdbc:sqlite:data/small.db?max_page_count=300'}
        inboxes: {waiting: {}}
        sources: {github: {provider: github, secret: a-secret-of-github}}
        """);
    try (ServerProcess server = ServerProcess.start(directory, "serve", "--port", "0")) {
      URI url = server.awaitListening();
      assertThat(ready(url).statusCode()).isEqualTo(200);
      Await.until("there is no room for large ones", () -> write(url, 60_000) == 503);
      Await.until("there is no room for small ones", () -> write(url, 100) == 503);
      Await.until("there is no room for events", () -> webhook(url) == 503);
      for (int i = 0; i < 10; i++) {
        assertThat(write(url, 60_000)).isEqualTo(503);
        assertThat(webhook(url)).isEqualTo(503);
      }

      HttpResponse<byte[]> ready = ready(url);
      assertThat(ready.statusCode()).isEqualTo(503);
      assertThat(Json.tree(ready.body()).path("store").asText()).isEqualTo("writes fail");

      makeRoom();
      Await.until("it has noticed by itself", () -> ready(url).statusCode() == 200);
      assertThat(write(url, 100)).isEqualTo(202);
      server.terminate();
      server.awaitExit();
      assertThat(warnings(server.output()))
          .as("lines at level warn or error")
          .isLessThanOrEqualTo(2);
      assertThat(server.output().stream().filter(line -> line.contains("takes writes again")))
          .hasSize(1);
    }
  }

  private void makeRoom() throws SQLException {
    try (Connection connection =
            DriverManager.getConnection("jdbc:sqlite:" + directory.resolve("data/small.db"));
        Statement statement = connection.createStatement()) {
      statement.execute("PRAGMA busy_timeout = 60000");
      assertThat(statement.executeUpdate("DELETE FROM mailroom_message")).isPositive();
    }
  }

  private static long warnings(List<String> lines) {
    return lines.stream().filter(line -> line.matches("\\S+Z (WARN|ERROR) .*")).count();
  }

  private static int write(URI server, int size) {
    return send(
        HttpRequest.newBuilder(server.resolve("/api/inboxes/waiting/messages"))
            .POST(HttpRequest.BodyPublishers.ofByteArray(new byte[size])));
  }

  private static int webhook(URI server) {
    WebhookRequest sample = SampleWebhook.of(SOURCE).at(TimeSource.system().now());
    HttpRequest.Builder request =
        HttpRequest.newBuilder(server.resolve("/webhooks/github"))
            .POST(HttpRequest.BodyPublishers.ofByteArray(sample.body()));
    for (String name : sample.headers().names()) {
      if (!name.equalsIgnoreCase("host") && !name.equalsIgnoreCase("content-length")) {
        request.header(name, sample.headers().first(name));
      }
    }
    return send(request);
  }

  private static HttpResponse<byte[]> ready(URI server) {
    return response(HttpRequest.newBuilder(server.resolve("/health/ready")));
  }

  private static int send(HttpRequest.Builder request) {
    return response(request).statusCode();
  }

  private static HttpResponse<byte[]> response(HttpRequest.Builder request) {
    try {
      return CLIENT.send(request.build(), HttpResponse.BodyHandlers.ofByteArray());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError(e);
    }
  }
}

package dev.mailroom.server.web;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mailroom.server.Await;
import dev.mailroom.server.TestServer;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Requests whose bodies come later than their headers, more of them than there are threads. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class LateBodiesTest {
  private static final int THREADS = 8;
  private static final int CLIENTS = 5 * THREADS;

  /** Less than the server would wait for a body. */
  private static final Duration TIMEOUT = Duration.ofMinutes(1);

  @TempDir private Path directory;
  private final List<Client> clients = new ArrayList<>();

  @AfterEach
  void hangUp() throws IOException {
    for (Client client : clients) {
      client.socket.close();
    }
  }

  @Test
  void no_thread_waits_for_a_body() throws Exception {
    String yaml = "inboxes: {waiting: {}}\nlimits: {threads: %d, request-time: 5m}\n";
    try (TestServer server = TestServer.start(directory, yaml.formatted(THREADS))) {
      URI url = URI.create(server.url());
      for (int i = 0; i < CLIENTS; i++) {
        clients.add(new Client(url, 5));
      }
      assertThat(status(url.resolve("/health/live"))).isEqualTo(200);
      for (Client client : clients) {
        client.send("hello");
      }

      for (Client client : clients) {
        assertThat(client.answer()).startsWith("HTTP/1.1 202");
      }
    }
  }

  @Test
  void a_body_that_does_not_come_is_not_waited_for() throws IOException {
    String yaml = "inboxes: {waiting: {}}\nlimits: {request-time: 1s}\n";
    try (TestServer server = TestServer.start(directory, yaml)) {
      Client client = new Client(URI.create(server.url()), 5);
      clients.add(client);
      client.send("hell");

      assertThat(client.answer()).startsWith("HTTP/1.1 408");
    }
  }

  @Test
  void incomplete_bodies_take_only_the_memory_of_the_budget() throws Exception {
    String yaml = "inboxes: {waiting: {}}\nlimits: {bodies: %dKiB, body: 1KiB, request-time: 5m}\n";
    try (TestServer server = TestServer.start(directory, yaml.formatted(THREADS))) {
      for (int i = 0; i <= THREADS; i++) {
        Client client = new Client(URI.create(server.url()), 1_024);
        clients.add(client);
        client.send("x".repeat(1_000));
      }

      Await.until("one is refused", () -> answered().size() == 1);
      assertThat(answered().get(0).answer()).startsWith("HTTP/1.1 503");
    }
  }

  private List<Client> answered() {
    return clients.stream().filter(Client::isAnswered).toList();
  }

  private static int status(URI url) throws Exception {
    HttpRequest request = HttpRequest.newBuilder(url).timeout(TIMEOUT).build();
    return HttpClient.newHttpClient().send(request, BodyHandlers.discarding()).statusCode();
  }

  /** Says that a body will come. */
  private static final class Client {
    private final Socket socket;
    private final BufferedReader answers;

    Client(URI server, int length) throws IOException {
      socket = new Socket(server.getHost(), server.getPort());
      socket.setSoTimeout((int) TIMEOUT.toMillis());
      answers =
          new BufferedReader(
              new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII));
      send(
          """
          POST /api/inboxes/waiting/messages HTTP/1.1
          Host: %s
          Content-Length: %d
          Expect: 100-continue

          """
              .formatted(server.getAuthority(), length)
              .replace("\n", "\r\n"));
      assertThat(answer()).as("the server waits for the body").startsWith("HTTP/1.1 100");
    }

    boolean isAnswered() {
      try {
        return socket.getInputStream().available() > 0;
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    void send(String text) throws IOException {
      socket.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
      socket.getOutputStream().flush();
    }

    /** The first line of the next answer; the rest of its head is passed over. */
    String answer() throws IOException {
      String first = String.valueOf(answers.readLine());
      String line = first;
      while (line != null && !line.isEmpty()) {
        line = answers.readLine();
      }
      return first;
    }
  }
}

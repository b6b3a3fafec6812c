package dev.mailroom.server.web;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mailroom.server.Patience;
import dev.mailroom.server.TestServer;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
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
  private static final Duration PATIENCE = Duration.ofMinutes(1);

  @TempDir private Path directory;
  private final List<Socket> clients = new ArrayList<>();

  @AfterEach
  void hangUp() throws IOException {
    for (Socket client : clients) {
      client.close();
    }
  }

  @Test
  void all_are_answered_though_every_thread_waits_for_a_body() throws IOException {
    String yaml = "inboxes: {waiting: {}}\nlimits: {threads: %d, request-time: 5m}\n";
    try (TestServer server = TestServer.start(directory, yaml.formatted(THREADS))) {
      for (int i = 0; i < CLIENTS; i++) {
        clients.add(connect(URI.create(server.url())));
      }
      // The others have the sockets to look after.
      Patience.until("most threads wait for bodies", () -> waiting() >= THREADS / 2);

      for (Socket client : clients) {
        send(client, "hello");
      }

      for (Socket client : clients) {
        assertThat(answer(client)).startsWith("HTTP/1.1 202");
      }
    }
  }

  private static Socket connect(URI server) throws IOException {
    Socket client = new Socket(server.getHost(), server.getPort());
    client.setSoTimeout((int) PATIENCE.toMillis());
    send(
        client,
        "POST /api/inboxes/waiting/messages HTTP/1.1\r\nHost: %s\r\nContent-Length: 5\r\n\r\n"
            .formatted(server.getAuthority()));
    return client;
  }

  private static void send(Socket to, String text) throws IOException {
    to.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
    to.getOutputStream().flush();
  }

  private static String answer(Socket from) throws IOException {
    String line =
        new BufferedReader(new InputStreamReader(from.getInputStream(), StandardCharsets.US_ASCII))
            .readLine();
    return String.valueOf(line);
  }

  private static long waiting() {
    return Thread.getAllStackTraces().values().stream()
        .filter(
            frames ->
                Stream.of(frames)
                    .anyMatch(frame -> frame.getClassName().equals(BodyReader.class.getName())))
        .count();
  }
}

package dev.mailroom.server.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mailroom.server.Await;
import dev.mailroom.server.RawClient;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A server with a heap of 256 MiB, and bodies of about the same total size. */
class SmallHeapTest {
  private static final int CLIENTS = 240;
  private static final int BODY = 1_048_576;

  @TempDir private Path directory;
  private final List<RawClient> refused = new ArrayList<>();
  private final List<RawClient> waiting = new ArrayList<>();

  @Test
  void bodies_that_are_never_complete_do_not_take_the_heap() throws Exception {
    Files.writeString(directory.resolve("mailroom.yaml"), "inboxes: {waiting: {}}\n");
    List<RawClient> clients = new ArrayList<>();
    try (ServerProcess server = ServerProcess.start(directory, "serve", "--port", "0")) {
      String url = server.awaitListening().toString();
      byte[] allButOne = new byte[BODY - 1];
      Arrays.fill(allButOne, (byte) 'x');
      for (int i = 0; i < CLIENTS; i++) {
        RawClient client = new RawClient(url);
        clients.add(client);
        client.send(
            "POST /api/inboxes/waiting/messages HTTP/1.1\r\nHost: localhost\r\nContent-Length: "
                + BODY
                + "\r\n\r\n");
        sendUntilRefused(client, allButOne);
      }
      Await.until("bodies over the budget are refused", () -> sort(clients) > CLIENTS / 2);

      for (RawClient client : refused) {
        RawClient.Response answer = client.answer();
        assertThat(answer.status()).isEqualTo(503);
        assertThat(answer.headers()).containsEntry("retry-after", "5");
      }
      try (RawClient live = new RawClient(url)) {
        live.send("GET /health/live HTTP/1.1\r\nHost: localhost\r\n\r\n");
        assertThat(live.answer().status()).isEqualTo(200);
      }
      assertThat(waiting.stream().filter(SmallHeapTest::isAccepted)).isNotEmpty();
      server.kill();
      assertThat(String.join("\n", server.output())).doesNotContain("OutOfMemoryError");
    } finally {
      for (RawClient client : clients) {
        client.close();
      }
    }
  }

  /** Sends the last byte; a connection that was refused meanwhile may be closed already. */
  private static boolean isAccepted(RawClient client) {
    try {
      int status = client.send("x").answer().status();
      assertThat(status).isIn(202, 503);
      return status == 202;
    } catch (IOException e) {
      return false;
    }
  }

  private static void sendUntilRefused(RawClient client, byte[] bytes) {
    try {
      client.send(bytes);
    } catch (IOException e) {
      // It was refused before all had come.
    }
  }

  private int sort(List<RawClient> clients) {
    refused.clear();
    waiting.clear();
    for (RawClient client : clients) {
      try {
        (client.hasAnswer() ? refused : waiting).add(client);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
    return refused.size();
  }
}

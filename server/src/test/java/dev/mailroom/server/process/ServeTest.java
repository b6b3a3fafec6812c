package dev.mailroom.server.process;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.mailroom.server.Receiver;
import dev.mailroom.server.web.Json;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ServeTest {
  private static final HttpClient CLIENT =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

  @TempDir private Path directory;

  @Test
  void it_says_in_one_line_what_listens_where_and_what_to_try() throws Exception {
    Files.writeString(
        directory.resolve("mailroom.yaml"),
        """
        sources: {hub: {provider: github, secret: hush-hush, targets: [log]}}
        inboxes: {orders: {}}
        targets: {log: {}}
        """);
    try (ServerProcess server = ServerProcess.start(directory, "serve", "--port", "0")) {
      assertThat(server.awaitListening().getHost()).isEqualTo("127.0.0.1");
      server.terminate();
      assertThat(server.awaitExit()).isEqualTo(143); // 128 + SIGTERM
      String output = String.join("\n", server.output());
      assertThat(output)
          .contains("store jdbc:sqlite:data/mailroom.db")
          .contains("sources [hub]")
          .contains("inboxes [orders]")
          .contains("Try: mailroom send hub")
          .contains("may end within 30s")
          .contains("Stopped")
          .doesNotContain("hush-hush");
    }
    assertThat(directory.resolve("data/mailroom.db")).exists();
  }

  @Test
  void a_wrong_configuration_ends_it_with_exit_code_2() throws Exception {
    Files.writeString(directory.resolve("mailroom.yaml"), "listen: {prot: 1}\n");
    try (ServerProcess server = ServerProcess.start(directory, "serve")) {
      assertThat(server.awaitExit()).isEqualTo(2);
      assertThat(String.join("\n", server.output())).contains("Did you mean 'listen.port'?");
    }
  }

  @Test
  void a_port_that_is_taken_ends_it_with_a_reason() throws Exception {
    try (Receiver taken = new Receiver();
        ServerProcess server =
            ServerProcess.start(
                directory, "serve", "--port", String.valueOf(URI.create(taken.url()).getPort()))) {
      assertThat(server.awaitExit()).isEqualTo(1);
      assertThat(String.join("\n", server.output())).contains("is another server running?");
    }
  }

  @Test
  void json_logs_are_json() throws Exception {
    try (ServerProcess server =
        ServerProcess.start(directory, "serve", "--port", "0", "--set", "log.format=json")) {
      String line = server.await(Pattern.compile("^\\{.*Mailroom listens.*")).group();
      assertThat(Json.tree(line.getBytes(StandardCharsets.UTF_8)).path("level").asText())
          .isEqualTo("INFO");
    }
  }

  /** A delivery that is under way when the signal comes ends, and is not repeated. */
  @Test
  void a_delivery_under_way_ends_before_the_server_does() throws Exception {
    CountDownLatch arrived = new CountDownLatch(1);
    CountDownLatch goOn = new CountDownLatch(1);
    AtomicBoolean answered = new AtomicBoolean();
    HttpServer slow =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 10);
    slow.createContext(
        "/",
        exchange -> {
          try (exchange) {
            exchange.getRequestBody().readAllBytes();
            arrived.countDown();
            if (!goOn.await(1, TimeUnit.MINUTES)) {
              throw new AssertionError("the test did not release the delivery");
            }
            exchange.sendResponseHeaders(204, -1);
            answered.set(true);
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          }
        });
    slow.start();
    Files.writeString(
        directory.resolve("mailroom.yaml"),
        """
        inboxes: {orders: {target: post, history: 1h}}
        targets: {post: {type: http, url: 'http://127.0.0.1:%d/', secrets: [%s]}}
        """
            .formatted(slow.getAddress().getPort(), Receiver.SECRET));
    try (ServerProcess server = ServerProcess.start(directory, "serve", "--port", "0")) {
      URI url = server.awaitListening();
      assertThat(write(url).statusCode()).isEqualTo(202);
      assertThat(arrived.await(1, TimeUnit.MINUTES)).isTrue();

      server.terminate();
      server.await(Pattern.compile("Stopping"));
      goOn.countDown();

      assertThat(server.awaitExit()).isEqualTo(143);
      assertThat(answered).isTrue();
    } finally {
      slow.stop(0);
    }
    try (ServerProcess again = ServerProcess.start(directory, "serve", "--port", "0")) {
      URI url = again.awaitListening();
      HttpResponse<byte[]> found =
          CLIENT.send(
              HttpRequest.newBuilder(url.resolve("/api/inboxes/orders/messages")).build(),
              HttpResponse.BodyHandlers.ofByteArray());
      assertThat(Json.tree(found.body()).at("/messages/0/state").asText()).isEqualTo("completed");
    }
  }

  private static HttpResponse<String> write(URI url) throws Exception {
    return CLIENT.send(
        HttpRequest.newBuilder(url.resolve("/api/inboxes/orders/messages"))
            .POST(HttpRequest.BodyPublishers.ofString("hello"))
            .build(),
        HttpResponse.BodyHandlers.ofString());
  }
}

package dev.mailroom.server.web;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mailroom.server.Await;
import dev.mailroom.server.LogLines;
import dev.mailroom.server.RawClient;
import dev.mailroom.server.TestServer;
import dev.mailroom.time.TimeSource;
import dev.mailroom.webhooks.Providers;
import dev.mailroom.webhooks.SampleWebhook;
import dev.mailroom.webhooks.Source;
import dev.mailroom.webhooks.WebhookRequest;
import java.io.IOException;
import java.net.http.HttpRequest;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Clients that are slow to send their headers, or do not send them at all. */
class SlowHeadersTest {
  private static final String SECRET = "a-secret-of-github";
  private static final String LIVE = "GET /health/live HTTP/1.1\r\nHost: x\r\n";

  /** An idle connection would be left alone for much longer than any test takes. */
  private static final String LIMITS =
      """
      sources: {github: {provider: github, secret: %s}}
      limits: {header-time: 2s, request-time: 10m, connections: 40}
      """
          .formatted(SECRET);

  @TempDir private Path directory;
  private final List<RawClient> clients = new ArrayList<>();

  @AfterEach
  void hangUp() throws IOException {
    for (RawClient client : clients) {
      client.close();
    }
  }

  private RawClient connect(String url) throws IOException {
    RawClient client = new RawClient(url);
    clients.add(client);
    return client;
  }

  @Test
  void a_head_that_drips_is_cut_off_at_the_limit() throws Exception {
    ScheduledExecutorService drips = new ScheduledThreadPoolExecutor(1);
    try (LogLines log = new LogLines();
        TestServer server = TestServer.start(directory, LIMITS)) {
      RawClient client = connect(server.url()).send(LIVE + "X: ");
      ScheduledFuture<?> dripping =
          drips.scheduleAtFixedRate(() -> drip(client), 100, 100, TimeUnit.MILLISECONDS);

      client.awaitEnd();
      dripping.cancel(true);

      Await.until("it is logged", () -> log.with("limits.header-time").size() == 1);
      assertThat(server.get("/metrics").body())
          .contains("mailroom_http_connections_closed_total{reason=\"slow-headers\"} 1.0");
    } finally {
      drips.shutdownNow();
    }
  }

  private static void drip(RawClient client) {
    try {
      client.send("x");
    } catch (IOException e) {
      throw new IllegalStateException("closed, so that no more is sent", e);
    }
  }

  @Test
  void the_limit_counts_for_every_request_and_not_for_the_time_between_two() throws Exception {
    try (TestServer server = TestServer.start(directory, LIMITS)) {
      RawClient patient = connect(server.url()).send(LIVE + "\r\n");
      assertThat(patient.answer().status()).isEqualTo(200);
      RawClient silent = connect(server.url());
      RawClient slow = connect(server.url()).send(LIVE + "\r\n");
      assertThat(slow.answer().status()).isEqualTo(200);
      slow.send("G");

      silent.awaitEnd();
      slow.awaitEnd();

      assertThat(patient.send(LIVE + "\r\n").answer().status()).isEqualTo(200);
    }
  }

  @Test
  void more_slow_clients_than_connections_keep_no_request_out() throws Exception {
    try (LogLines log = new LogLines();
        TestServer server = TestServer.start(directory, LIMITS)) {
      for (int i = 0; i < 120; i++) {
        connect(server.url()).send(LIVE + "X: ");
      }

      assertThat(server.get("/health/live").statusCode()).isEqualTo(200);
      assertThat(server.send(webhook(server)).statusCode()).isEqualTo(202);
      for (RawClient client : clients) {
        client.awaitEnd();
      }
      assertThat(log.with("limits.connections")).isNotEmpty();
    }
  }

  private static HttpRequest.Builder webhook(TestServer server) {
    Source source = Source.of("sample", Providers.github()).secret(SECRET).build();
    WebhookRequest sample = SampleWebhook.of(source).id("1").at(TimeSource.system().now());
    HttpRequest.Builder request =
        server
            .request("/webhooks/github")
            .POST(HttpRequest.BodyPublishers.ofByteArray(sample.body()));
    for (String name : sample.headers().names()) {
      if (!name.equalsIgnoreCase("host") && !name.equalsIgnoreCase("content-length")) {
        request.header(name, sample.headers().first(name));
      }
    }
    return request;
  }

  @Test
  void a_request_that_is_worked_on_is_left_alone() throws Exception {
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch goOn = new CountDownLatch(1);
    HttpRoute slow =
        new HttpRoute("GET", "/slow", HttpRoute.Access.OPEN, call -> await(begun, goOn));
    Map<String, String> limits = Map.of("limits.connections", "20", "limits.header-time", "1s");
    try (LocalWebServer server = new LocalWebServer(directory, limits, slow)) {
      RawClient busy = connect(server.url()).send("GET /slow HTTP/1.1\r\nHost: x\r\n\r\n");
      assertThat(begun.await(1, TimeUnit.MINUTES)).isTrue();
      List<RawClient> others = new ArrayList<>();
      for (int i = 0; i < 60; i++) {
        others.add(connect(server.url()));
      }
      for (RawClient other : others) {
        other.awaitEnd();
      }
      goOn.countDown();

      assertThat(busy.answer().status()).isEqualTo(200);
    }
  }

  private static ApiResponse await(CountDownLatch begun, CountDownLatch goOn) {
    begun.countDown();
    try {
      return ApiResponse.empty(goOn.await(1, TimeUnit.MINUTES) ? 200 : 500);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return ApiResponse.empty(500);
    }
  }
}

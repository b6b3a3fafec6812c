package dev.mailroom.server.web;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.mailroom.server.RawClient;
import dev.mailroom.server.TestServer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class JsonErrorsTest {
  private static final String LIVE = "GET /health/live HTTP/1.1\r\nHost: x\r\n";

  @TempDir private static Path directory;
  private static TestServer server;

  @BeforeAll
  static void start() {
    server = TestServer.start(directory, "inboxes: {orders: {}}\nlimits: {headers: 2KiB}");
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  static Stream<Arguments> wrongRequests() {
    return Map.ofEntries(
            Map.entry("no request line", "hello\r\n\r\n"),
            Map.entry("bytes of TLS", "\u0016\u0003\u0001\u0002\u0000\r\n\r\n"),
            Map.entry("an unknown version", "GET / HTTP/9.9\r\nHost: x\r\n\r\n"),
            Map.entry("HTTP/2", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"),
            Map.entry("no host", "GET /health/live HTTP/1.1\r\n\r\n"),
            Map.entry("two hosts", LIVE + "Host: y\r\n\r\n"),
            Map.entry("a header without a name", LIVE + ": 1\r\n\r\n"),
            Map.entry("a folded header", LIVE + "A: b\r\n c\r\n\r\n"),
            Map.entry("a wrong length", LIVE + "Content-Length: x\r\n\r\n"),
            Map.entry(
                "a length and chunks",
                LIVE + "Content-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n"),
            Map.entry("a wrong escape", "GET /%zz HTTP/1.1\r\nHost: x\r\n\r\n"),
            Map.entry("an ambiguous path", "GET /a/%2e%2e/b HTTP/1.1\r\nHost: x\r\n\r\n"),
            Map.entry("an expectation", LIVE + "Expect: wonders\r\n\r\n"),
            Map.entry("a long URL", "GET /" + "x".repeat(4_000) + " HTTP/1.1\r\nHost: x\r\n\r\n"),
            Map.entry("large headers", LIVE + "A: " + "x".repeat(4_000) + "\r\n\r\n"),
            Map.entry("an unknown path", "GET /nowhere HTTP/1.1\r\nHost: x\r\n\r\n"),
            Map.entry("an unknown method", "BREW /health/live HTTP/1.1\r\nHost: x\r\n\r\n"))
        .entrySet()
        .stream()
        .map(entry -> Arguments.of(entry.getKey(), entry.getValue()));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("wrongRequests")
  void every_error_is_json_and_has_a_request_id(String what, String request) throws Exception {
    try (RawClient client = new RawClient(server.url())) {
      RawClient.Response answer = client.send(request).answer();

      assertThat(answer.status()).isBetween(400, 599);
      assertThat(answer.headers())
          .containsEntry("content-type", "application/json")
          .containsKey("x-request-id")
          .doesNotContainKey("server");
      JsonNode body = Json.tree(answer.body().getBytes(StandardCharsets.UTF_8));
      assertThat(body.path("error").asText()).isNotBlank();
      assertThat(answer.body().toLowerCase(Locale.ROOT))
          .doesNotContain("jetty", "exception", "html");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"GET /fails", "POST /webhooks/any"})
  void an_internal_error_shows_its_request_id_and_not_its_cause(String request) throws Exception {
    HttpRoute fails =
        new HttpRoute(
            "GET",
            "/fails",
            HttpRoute.Access.OPEN,
            call -> {
              throw new AssertionError("a hidden reason");
            });
    try (LocalWebServer failing = new LocalWebServer(directory, Map.of(), fails);
        RawClient client = new RawClient(failing.url())) {
      RawClient.Response answer =
          client.send(request + " HTTP/1.1\r\nHost: x\r\nX-Request-Id: abc-1\r\n\r\n").answer();

      assertThat(answer.status()).isEqualTo(500);
      assertThat(answer.headers())
          .containsEntry("content-type", "application/json")
          .containsEntry("x-request-id", "abc-1");
      assertThat(answer.body()).contains("\"error\":\"failed\"").doesNotContain("hidden", "Error:");
    }
  }
}

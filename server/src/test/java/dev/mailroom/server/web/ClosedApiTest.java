package dev.mailroom.server.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mailroom.server.LogLines;
import dev.mailroom.server.TestServer;
import dev.mailroom.server.config.ServerOptions;
import dev.mailroom.time.TimeSource;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.Map;
import org.eclipse.jetty.http.HttpFields;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ClosedApiTest {
  private static final String KEYS =
      """
      api:
        keys:
          one: 0123456789abcdef-one
          two: 0123456789abcdef-two
      inboxes: {orders: {}}
      """;

  @TempDir private Path directory;

  @Test
  void with_keys_a_request_needs_one() {
    try (TestServer server = TestServer.start(directory, KEYS)) {
      String path = "/api/inboxes";
      assertThat(server.get(path).statusCode()).isEqualTo(401);
      assertThat(server.get(path, "Authorization", "Bearer wrong").statusCode()).isEqualTo(401);
      assertThat(server.get(path, "Authorization", "Bearer ").statusCode()).isEqualTo(401);
      assertThat(server.get(path, "Authorization", "Bearer 0123456789abcdef-one").statusCode())
          .isEqualTo(200);
      assertThat(server.get(path, "X-API-Key", "0123456789abcdef-two").statusCode()).isEqualTo(200);
      assertThat(server.get("/metrics").statusCode()).isEqualTo(401);
      assertThat(server.get("/health/ready").statusCode()).isEqualTo(200);
      assertThat(server.get("/openapi.json").statusCode()).isEqualTo(200);
    }
  }

  @Test
  void metrics_can_be_public() {
    try (TestServer server = TestServer.start(directory, KEYS + "metrics: {open: true}\n")) {
      assertThat(server.get("/metrics").statusCode()).isEqualTo(200);
      assertThat(server.get("/api/inboxes").statusCode()).isEqualTo(401);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "X-Forwarded-For",
        "x-forwarded-proto",
        "X-Forwarded-Anything",
        "Forwarded",
        "Via",
        "X-Real-IP",
        "CF-Connecting-IP",
        "true-client-ip",
        "Origin",
        "Sec-Fetch-Site"
      })
  void without_keys_what_came_through_a_proxy_or_a_browser_is_not_local(String header) {
    try (TestServer server = TestServer.start(directory, "inboxes: {orders: {}}")) {
      assertThat(server.get("/api/inboxes").statusCode()).isEqualTo(200);
      assertThat(server.get("/api/inboxes", header, "example.com").statusCode()).isEqualTo(403);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"Bearer ", "bearer ", "BEARER   "})
  void the_scheme_of_a_key_is_written_in_any_case(String scheme) {
    try (TestServer server = TestServer.start(directory, KEYS)) {
      String key = scheme + "0123456789abcdef-one";

      assertThat(server.get("/api/inboxes", "Authorization", key).statusCode()).isEqualTo(200);
    }
  }

  @Test
  void wrong_keys_are_throttled_and_a_valid_key_is_accepted_meanwhile() {
    try (LogLines log = new LogLines();
        TestServer server = TestServer.start(directory, KEYS)) {
      for (int i = 0; i < WrongKeys.A_MINUTE; i++) {
        assertThat(server.get("/api/inboxes", "X-API-Key", "guess-" + i).statusCode())
            .isEqualTo(401);
      }
      HttpResponse<String> further = server.get("/api/inboxes", "X-API-Key", "guess");

      assertThat(further.statusCode()).isEqualTo(429);
      assertThat(further.headers().firstValue("Retry-After")).contains("60");
      assertThat(server.get("/api/inboxes", "X-API-Key", "0123456789abcdef-one").statusCode())
          .isEqualTo(200);
      assertThat(server.get("/api/inboxes").statusCode()).as("no key").isEqualTo(401);
      assertThat(log.with("wrong API keys"))
          .containsExactly("1 requests with wrong API keys from 127.0.0.1");
    }
  }

  /** The address is one for documentation: no host has it, so nothing listens in the end. */
  @Test
  void a_server_that_others_can_reach_says_at_its_start_that_its_api_is_closed() {
    String elsewhere = "listen: {address: 192.0.2.1}\n";
    try (LogLines log = new LogLines()) {
      assertThatThrownBy(() -> TestServer.start(directory, elsewhere))
          .hasMessageContaining("Nothing can listen on 192.0.2.1");
      assertThat(log.with("The API is closed")).singleElement().asString().contains("api.keys");
    }
    try (LogLines log = new LogLines();
        TestServer local = TestServer.start(directory, "inboxes: {orders: {}}")) {
      assertThatThrownBy(() -> TestServer.start(directory, KEYS + elsewhere))
          .hasMessageContaining("Nothing can listen on 192.0.2.1");
      assertThat(local.url()).startsWith("http://127.0.0.1");
      assertThat(log.with("The API is closed")).isEmpty();
    }
  }

  @Test
  void a_foreign_name_for_this_host_is_not_local() throws UnknownHostException {
    AccessControl accessControl = accessControl("127.0.0.1");

    assertThat(authorize(accessControl, "127.0.0.1", "localhost:8080"))
        .isEqualTo(AccessControl.LOCAL);
    assertThatThrownBy(() -> authorize(accessControl, "127.0.0.1", "evil.example.com:8080"))
        .isInstanceOf(ApiException.class);
  }

  @Test
  void a_server_that_others_can_reach_is_closed_even_to_its_own_host_without_a_key()
      throws UnknownHostException {
    assertThatThrownBy(() -> authorize(accessControl("0.0.0.0"), "127.0.0.1", "127.0.0.1:8080"))
        .isInstanceOf(ApiException.class)
        .hasMessageContaining("api.keys");
    assertThatThrownBy(() -> authorize(accessControl("127.0.0.1"), "192.0.2.1", "127.0.0.1:8080"))
        .isInstanceOf(ApiException.class);
  }

  private static AccessControl accessControl(String bound) throws UnknownHostException {
    return new AccessControl(
        new ServerOptions.Access(Map.of(), false),
        InetAddress.getByName(bound),
        new WrongKeys(TimeSource.system()));
  }

  private static String authorize(AccessControl accessControl, String remote, String host)
      throws UnknownHostException {
    return accessControl.authorize(
        HttpRoute.Access.API,
        new InetSocketAddress(InetAddress.getByName(remote), 1),
        new RequestHeaders(HttpFields.build().put("Host", host)));
  }
}

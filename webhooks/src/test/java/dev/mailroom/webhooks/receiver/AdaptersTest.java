package dev.mailroom.webhooks.receiver;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mailroom.spi.Telemetry.Counter;
import dev.mailroom.spi.Telemetry.Tags;
import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Webhooks over real HTTP, in each server that they are adapted to. */
@ParameterizedClass
@EnumSource
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class AdaptersTest {
  private static final int LIMIT = 100_000;
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private final HttpClient client =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private final WebhooksFixture fixture =
      new WebhooksFixture(
          webhooks -> webhooks.bodyLimit(LIMIT).source(WebhooksFixture.source("shop")));
  private final HttpServerKind.Running host;

  AdaptersTest(HttpServerKind kind) throws Exception {
    host = kind.start(fixture.webhooks);
  }

  @AfterEach
  void stopped() throws Exception {
    host.stop().run();
  }

  private HttpRequest.Builder request(String path) {
    return HttpRequest.newBuilder(URI.create(host.url(path)))
        .timeout(PATIENCE)
        .header("X-Secret", WebhooksFixture.SECRET)
        .header("X-Type", "paid")
        .header("X-Id", "1");
  }

  private HttpResponse<String> send(HttpRequest.Builder request) throws Exception {
    return client.send(request.build(), BodyHandlers.ofString(UTF_8));
  }

  private static byte[] everyByte(int length) {
    byte[] bytes = new byte[length];
    for (int i = 0; i < length; i++) {
      bytes[i] = (byte) i;
    }
    return bytes;
  }

  @Test
  void bytes_arrive_as_they_were_sent() throws Exception {
    byte[] body = everyByte(1_000);

    assertThat(send(request("/webhooks/shop").POST(BodyPublishers.ofByteArray(body))).statusCode())
        .isEqualTo(202);
    assertThat(fixture.message().envelope().payload().bytes()).isEqualTo(body);
    assertThat(send(request("/webhooks/shop").POST(BodyPublishers.ofByteArray(body))).statusCode())
        .isEqualTo(200);
  }

  @Test
  void a_body_in_chunks_is_taken_up_to_the_limit() throws Exception {
    byte[] body = everyByte(LIMIT);
    HttpRequest.BodyPublisher chunked =
        BodyPublishers.ofInputStream(() -> new ByteArrayInputStream(body));

    assertThat(send(request("/webhooks/shop?a=b").POST(chunked)).statusCode()).isEqualTo(202);
    assertThat(fixture.message().envelope().payload().bytes()).isEqualTo(body);
  }

  @Test
  void a_body_in_chunks_over_the_limit_is_refused_before_it_ends() throws Exception {
    String head =
        "POST "
            + host.prefix()
            + "/webhooks/shop HTTP/1.1\r\nHost: localhost\r\nX-Secret: "
            + WebhooksFixture.SECRET
            + "\r\nTransfer-Encoding: chunked\r\n\r\n";
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), host.port())) {
      socket.setSoTimeout((int) PATIENCE.toMillis());
      OutputStream out = socket.getOutputStream();
      out.write(head.getBytes(ISO_8859_1));
      out.write((Integer.toHexString(2 * LIMIT) + "\r\n").getBytes(ISO_8859_1));
      out.write(everyByte(LIMIT + 1)); // and the rest never comes
      out.flush();

      assertThat(statusLine(socket)).startsWith("HTTP/1.1 413");
    }
    assertThat(fixture.messages()).isEmpty();
  }

  private static String statusLine(Socket socket) throws IOException {
    return new BufferedReader(new InputStreamReader(socket.getInputStream(), ISO_8859_1))
        .readLine();
  }

  @Test
  void a_body_that_says_it_is_too_large_is_not_even_read() throws Exception {
    String head =
        "POST "
            + host.prefix()
            + "/webhooks/shop HTTP/1.1\r\nHost: localhost\r\nContent-Length: "
            + (LIMIT + 1L)
            + "\r\n\r\n";
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), host.port())) {
      socket.setSoTimeout((int) PATIENCE.toMillis());
      socket.getOutputStream().write(head.getBytes(ISO_8859_1));

      assertThat(statusLine(socket)).startsWith("HTTP/1.1 413");
    }
    assertThat(fixture.telemetry.of(Counter.REQUEST_REFUSED))
        .isEqualTo(Map.of(new Tags("webhooks", null, null, null, "body-too-large"), 1L));
  }

  @Test
  void headers_over_the_limits_are_refused() throws Exception {
    HttpRequest.Builder many = request("/webhooks/shop").POST(BodyPublishers.noBody());
    for (int i = 0; i < 250; i++) {
      many.header("X-" + i, "x");
    }
    HttpRequest.Builder large = request("/webhooks/shop").POST(BodyPublishers.noBody());
    for (int i = 0; i < 20; i++) {
      large.header("X-" + i, "x".repeat(4_000));
    }

    assertThat(isRefused(many)).as("by the server itself, or by us").isTrue();
    assertThat(send(large).statusCode()).isEqualTo(431);
    assertThat(fixture.messages()).isEmpty();
  }

  /** The JDK's server hangs up on as many headers as we refuse. */
  private boolean isRefused(HttpRequest.Builder request) throws Exception {
    try {
      return send(request).statusCode() == 431;
    } catch (IOException hungUp) {
      return true;
    }
  }

  @Test
  void a_header_that_is_there_twice_is_seen_twice() throws Exception {
    HttpResponse<String> response =
        send(
            request("/webhooks/shop")
                .header("x-secret", WebhooksFixture.SECRET)
                .POST(BodyPublishers.noBody()));

    assertThat(response.statusCode()).isEqualTo(400);
    assertThat(response.body()).isEqualTo("{\"error\":\"malformed-signature\"}");
  }

  @Test
  void answers_have_headers_and_bodies() throws Exception {
    HttpResponse<String> response = send(request("/webhooks/shop").GET());
    assertThat(response.statusCode()).isEqualTo(200);
    assertThat(response.body()).isEqualTo("hello");
    assertThat(response.headers().firstValue("Content-Type"))
        .hasValueSatisfying(type -> assertThat(type).startsWith("text/plain"));

    HttpResponse<String> unknown = send(request("/webhooks/unknown").GET());
    assertThat(unknown.statusCode()).isEqualTo(404);
    assertThat(unknown.body()).isEqualTo("{\"error\":\"unknown-source\"}");

    HttpResponse<String> head =
        send(request("/webhooks/shop").method("HEAD", BodyPublishers.noBody()));
    assertThat(head.statusCode()).isEqualTo(405);
    assertThat(head.headers().firstValue("Allow")).hasValue("GET, POST");
    assertThat(head.body()).isEmpty();

    fixture.store.isDown = true;
    HttpResponse<String> down = send(request("/webhooks/shop").POST(BodyPublishers.noBody()));
    assertThat(down.statusCode()).isEqualTo(503);
    assertThat(down.headers().firstValue("Retry-After")).hasValue("30");
  }
}

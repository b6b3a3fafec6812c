package dev.mailroom.server.web;

import static dev.mailroom.server.TestServer.json;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.mailroom.server.Await;
import dev.mailroom.server.Receiver;
import dev.mailroom.server.TestServer;
import dev.mailroom.time.TimeSource;
import dev.mailroom.webhooks.Providers;
import dev.mailroom.webhooks.SampleWebhook;
import dev.mailroom.webhooks.Source;
import dev.mailroom.webhooks.WebhookRequest;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WebhookReceiverTest {
  private static final String SECRET = "a-secret-of-github";

  @TempDir private static Path directory;
  private static Receiver receiver;
  private static TestServer server;

  @BeforeAll
  static void start() {
    receiver = new Receiver();
    server =
        TestServer.start(
            directory,
            """
            diagnostics: true
            sources:
              github: {provider: github, secret: %s, path: /hooks/gh, targets: [first, post]}
              single: {provider: github, secret: %s, targets: [picky]}
              own:
                provider: hmac
                secret: mine
                hmac: {header: X-Sign, prefix: "v=", type: $.kind, id: $.id}
                targets: [post]
              meta:
                provider: meta
                secret: x
                verify-token: token
            targets:
              first: {type: log}
              picky: {type: log, types: [release.*]}
              post: %s
            """
                .formatted(SECRET, SECRET, receiver.target()));
  }

  @AfterAll
  static void stop() {
    server.close();
    receiver.close();
  }

  private static HttpResponse<String> send(String path, String secret, String id) {
    Source source = Source.of("sample", Providers.github()).secret(secret).build();
    return send(path, SampleWebhook.of(source).id(id).at(TimeSource.system().now()));
  }

  private static HttpResponse<String> send(String path, WebhookRequest sample) {
    HttpRequest.Builder request =
        server
            .request(path)
            .method(sample.method(), HttpRequest.BodyPublishers.ofByteArray(sample.body()));
    sample
        .headers()
        .names()
        .forEach(
            name -> {
              if (!name.equalsIgnoreCase("host") && !name.equalsIgnoreCase("content-length")) {
                request.header(name, sample.headers().first(name));
              }
            });
    return server.send(request);
  }

  @Test
  void a_signed_webhook_is_stored_and_delivered_to_all_targets_in_turn()
      throws InterruptedException {
    String id = UUID.randomUUID().toString();

    assertThat(send("/webhooks/github", SECRET, id).statusCode()).isEqualTo(202);
    Receiver.Got got = receiver.next();
    assertThat(send("/hooks/gh", SECRET, id).statusCode()).isEqualTo(200);

    assertThat(got.headers())
        .containsEntry("mailroom-webhook-source", "github")
        .containsEntry("mailroom-webhook-event-id", id)
        .containsEntry("mailroom-webhook-secret", "secret");
    assertThat(server.get("/metrics").body())
        .contains("mailroom_event_received_total")
        .contains("source=\"github\"");
  }

  @Test
  void many_at_once_are_each_answered_when_they_are_stored() {
    Source source = Source.of("sample", Providers.github()).secret(SECRET).build();
    List<String> ids = Stream.generate(() -> UUID.randomUUID().toString()).limit(300).toList();
    for (int status : new int[] {202, 200}) {
      List<Integer> answers =
          ids.parallelStream()
              .map(id -> SampleWebhook.of(source).id(id).at(TimeSource.system().now()))
              .map(sample -> send("/webhooks/single", sample).statusCode())
              .toList();

      assertThat(answers).hasSize(300).containsOnly(status);
    }
  }

  @Test
  void a_forged_one_is_refused_and_not_stored() {
    HttpResponse<String> answer = send("/webhooks/github", "another secret", "1");

    assertThat(answer.statusCode()).isEqualTo(401);
    assertThat(json(answer).path("error").asText()).isEqualTo("bad-signature");
    assertThat(server.post("/webhooks/github", "{}").statusCode()).isEqualTo(401);
    assertThat(server.post("/webhooks/unknown", "{}").statusCode()).isEqualTo(404);
    assertThat(server.get("/webhooks/github").statusCode()).isEqualTo(405);
    assertThat(server.post("/elsewhere", "{}").statusCode()).isEqualTo(404);
    assertThat(server.post("/api/inboxes/webhooks/messages", "{}").statusCode()).isEqualTo(403);
  }

  @Test
  void an_event_that_no_target_is_for_is_kept_as_unhandled() {
    assertThat(send("/webhooks/single", SECRET, UUID.randomUUID().toString()).statusCode())
        .isEqualTo(202);

    String letters = "/api/inboxes/webhooks/dead-letters?error=unhandled";
    Await.until("it is dead", () -> !json(server.get(letters)).path("deadLetters").isEmpty());
    JsonNode letter = json(server.get(letters)).path("deadLetters").path(0);
    assertThat(letter.path("lastError").path("type").asText()).isEqualTo("unhandled");
  }

  @Test
  void a_provider_can_be_made_of_settings() throws Exception {
    String body = "{\"kind\":\"greeting\",\"id\":\"" + UUID.randomUUID() + "\"}";
    Mac mac = Mac.getInstance("HmacSHA256");
    mac.init(new SecretKeySpec("mine".getBytes(StandardCharsets.UTF_8), "HmacSHA256"));
    String signature = HexFormat.of().formatHex(mac.doFinal(body.getBytes(StandardCharsets.UTF_8)));

    HttpResponse<String> answer = server.post("/webhooks/own", body, "X-Sign", "v=" + signature);

    assertThat(answer.statusCode()).isEqualTo(202);
    Receiver.Got got = receiver.next();
    assertThat(got.headers()).containsEntry("mailroom-webhook-type", "greeting");
    assertThat(got.body()).isEqualTo(body);
  }

  @Test
  void a_handshake_is_answered() {
    String query = "?hub.mode=subscribe&hub.challenge=42&hub.verify_token=";

    assertThat(server.get("/webhooks/meta" + query + "token").body()).isEqualTo("42");
    assertThat(server.get("/webhooks/meta" + query + "other").statusCode()).isEqualTo(403);
  }

  @Test
  void diagnostics_verify_without_storing() {
    String id = UUID.randomUUID().toString();

    assertThat(send("/diagnostics/verify/github", SECRET, id).statusCode()).isEqualTo(202);
    assertThat(send("/diagnostics/verify/github", "other", id).statusCode()).isEqualTo(401);
    assertThat(server.post("/diagnostics/empty", "x").statusCode()).isEqualTo(202);
    assertThat(json(server.post("/diagnostics/collect", "")).path("heap").asLong()).isPositive();
    assertThat(json(server.get("/api/inboxes/webhooks/messages?key=github:" + id)).path("messages"))
        .isEmpty();
  }
}

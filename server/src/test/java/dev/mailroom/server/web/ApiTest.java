package dev.mailroom.server.web;

import static dev.mailroom.server.TestServer.json;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.mailroom.server.Await;
import dev.mailroom.server.Receiver;
import dev.mailroom.server.TestServer;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ApiTest {
  private static final String ORDERS = "/api/inboxes/orders";
  private static final String WAITING = "/api/inboxes/waiting";

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
            inboxes:
              orders: {target: post, history: 1h}
              dying: {target: broken}
              waiting: {}
            targets:
              post: %s
              broken: {type: command, command: [/bin/false], attempts: 1}
            limits: {body: 2KiB, request-time: 2s}
            """
                .formatted(receiver.target()));
  }

  @AfterAll
  static void stop() {
    server.close();
    receiver.close();
  }

  @BeforeEach
  void accept() {
    receiver.answer(204);
  }

  @Test
  void a_written_message_is_delivered_with_a_signature() throws InterruptedException {
    HttpResponse<String> written =
        server.post(
            ORDERS + "/messages?contract=order.placed",
            "{\"order\":1}",
            "Content-Type",
            "application/json",
            "Mailroom-Tenant",
            "acme");

    assertThat(written.statusCode()).isEqualTo(202);
    String id = json(written).path("id").asText();
    Receiver.Got got = receiver.next();
    assertThat(got.body()).isEqualTo("{\"order\":1}");
    assertThat(got.headers())
        .containsEntry("webhook-id", id)
        .containsEntry("mailroom-contract", "order.placed")
        .containsEntry("mailroom-tenant", "acme")
        .containsEntry("content-type", "application/json")
        .containsKey("webhook-signature");
    assertThat(written.headers().firstValue("Location")).contains(ORDERS + "/messages/" + id);
  }

  @Test
  void the_same_idempotency_key_is_a_duplicate_and_other_content_is_refused() {
    String key = UUID.randomUUID().toString();

    HttpResponse<String> first = server.post(WAITING + "/messages", "a", "Idempotency-Key", key);
    HttpResponse<String> second = server.post(WAITING + "/messages", "a", "Idempotency-Key", key);
    HttpResponse<String> other = server.post(WAITING + "/messages", "b", "Idempotency-Key", key);

    assertThat(first.statusCode()).isEqualTo(202);
    assertThat(second.statusCode()).isEqualTo(200);
    assertThat(json(second).path("id")).isEqualTo(json(first).path("id"));
    assertThat(json(second).path("status").asText()).isEqualTo("duplicate");
    assertThat(other.statusCode()).isEqualTo(422);
  }

  @Test
  void a_message_can_be_looked_at_with_its_payload_and_its_state() {
    String id =
        json(server.post(
                WAITING + "/messages", "later", "Mailroom-Delay", "1h", "Mailroom-Group", "g"))
            .path("id")
            .asText();

    JsonNode found = json(server.get(WAITING + "/messages/" + id));

    assertThat(found.path("state").asText()).isEqualTo("scheduled");
    assertThat(found.path("payload").asText()).isEqualTo("later");
    assertThat(found.path("group").asText()).isEqualTo("g");
    assertThat(server.get(WAITING + "/messages/" + UUID.randomUUID()).statusCode()).isEqualTo(404);
    assertThat(server.get(WAITING + "/messages/not-an-id").statusCode()).isEqualTo(400);
  }

  @Test
  void bytes_that_are_no_text_are_shown_in_base64() {
    HttpRequest.Builder request =
        server
            .request(WAITING + "/messages")
            .POST(HttpRequest.BodyPublishers.ofByteArray(new byte[] {(byte) 0xff, 0}));

    String id = json(server.send(request)).path("id").asText();

    assertThat(json(server.get(WAITING + "/messages/" + id)).path("payloadBase64").asText())
        .isEqualTo("/wA=");
  }

  @Test
  void messages_are_found_by_filter_and_page_by_page() {
    String contract = "c" + UUID.randomUUID();
    for (int i = 0; i < 3; i++) {
      server.post(WAITING + "/messages?contract=" + contract, "x");
    }

    JsonNode first = json(server.get(WAITING + "/messages?limit=2&contract=" + contract));
    JsonNode second =
        json(
            server.get(
                WAITING
                    + "/messages?contract="
                    + contract
                    + "&after="
                    + first.path("next").asText()));

    assertThat(first.path("messages")).hasSize(2);
    assertThat(second.path("messages")).hasSize(1);
    assertThat(second.path("next").isNull()).isTrue();
    assertThat(json(server.get(WAITING + "/messages?state=dead")).path("messages")).isEmpty();
    assertThat(server.get(WAITING + "/messages?state=unheard").statusCode()).isEqualTo(400);
    assertThat(server.get(WAITING + "/messages?limit=0").statusCode()).isEqualTo(400);
    assertThat(server.get(WAITING + "/messages?after=zzz").statusCode()).isEqualTo(400);
  }

  @Test
  void what_makes_no_sense_is_refused_with_a_reason() {
    assertThat(server.post(WAITING + "/messages?delay=soon", "x").statusCode()).isEqualTo(400);
    HttpResponse<String> negative = server.post(WAITING + "/messages?delay=-5s", "x");
    assertThat(negative.statusCode()).isEqualTo(400);
    assertThat(json(negative).path("message").asText()).contains("'-5s' is no duration");
    assertThat(server.post(WAITING + "/messages?contract-version=0", "x").statusCode())
        .isEqualTo(400);
    HttpResponse<String> long1 = server.post(WAITING + "/messages?group=" + "g".repeat(300), "x");
    assertThat(long1.statusCode()).isEqualTo(400);
    assertThat(json(long1).path("error").asText()).isEqualTo("invalid-message");
    HttpResponse<String> unknown = server.post("/api/inboxes/nowhere/messages", "x");
    assertThat(unknown.statusCode()).isEqualTo(404);
    assertThat(json(unknown).path("message").asText()).contains("inboxes.nowhere");
    assertThat(server.get(WAITING + "/dead-letters?until=x").statusCode()).isEqualTo(400);
    HttpResponse<String> posted = server.post("/health/live", "");
    assertThat(posted.statusCode()).isEqualTo(405);
    assertThat(posted.headers().firstValue("Allow")).contains("GET");
    assertThat(server.get("/diagnostics/empty").statusCode()).isEqualTo(404);
  }

  @ParameterizedTest
  @ValueSource(strings = {"999999999999999d", "999999999999d", "36500001d", "876000001h"})
  void a_duration_that_leads_past_every_clock_is_refused_with_a_reason(String duration) {
    for (String option : List.of("delay", "lifetime")) {
      HttpResponse<String> answer =
          server.post(WAITING + "/messages?" + option + "=" + duration, "x");

      assertThat(answer.statusCode()).as(option).isEqualTo(400);
      assertThat(json(answer).path("error").asText()).isEqualTo("invalid-message");
      assertThat(json(answer).path("message").asText()).contains("'" + duration + "' is too long");
    }
  }

  @Test
  void the_longest_delay_is_taken() {
    for (String duration : List.of("36500000d", "999999999999999ms")) {
      HttpResponse<String> answer =
          server.post(WAITING + "/messages?lifetime=1h&delay=" + duration, "x");

      assertThat(answer.statusCode()).as(duration).isEqualTo(202);
    }
  }

  @Test
  void a_body_over_the_limit_is_refused_whether_it_says_its_length_or_not() {
    String large = "x".repeat(3_000);
    HttpRequest.Builder chunked =
        server
            .request(WAITING + "/messages")
            .POST(
                HttpRequest.BodyPublishers.fromPublisher(
                    HttpRequest.BodyPublishers.ofString(large)));

    assertThat(server.post(WAITING + "/messages", large).statusCode()).isEqualTo(413);
    assertThat(server.send(chunked).statusCode()).isEqualTo(413);
    assertThat(server.post(WAITING + "/messages", "x".repeat(2_048)).statusCode()).isEqualTo(202);
  }

  @Test
  void headers_over_the_limit_are_refused() {
    assertThat(server.get("/health/live", "X-Large", "x".repeat(20_000)).statusCode())
        .isEqualTo(431);
  }

  @Test
  void dead_letters_are_listed_redriven_and_discarded() {
    String dying = "/api/inboxes/dying";
    server.post(dying + "/messages?contract=first", "1");
    server.post(dying + "/messages?contract=second", "2");
    JsonNode letters = await(dying, 2);

    assertThat(letters.path(0).path("lastError").path("message").asText()).contains("exit code 1");
    assertThat(server.post(dying + "/dead-letters/redrive", "").statusCode()).isEqualTo(400);
    assertThat(server.post(dying + "/dead-letters/redrive", "[]").statusCode()).isEqualTo(400);
    assertThat(server.post(dying + "/dead-letters/redrive", "{").statusCode()).isEqualTo(400);
    for (String wrong : List.of("'eror':'x'", "'contract':1", "'ids':'x'", "'ids':{}")) {
      String body = ("{'all':true," + wrong + "}").replace('\'', '"');
      assertThat(server.post(dying + "/dead-letters/discard", body).statusCode()).isEqualTo(400);
    }
    assertThat(
            json(server.post(dying + "/dead-letters/redrive", "{\"contract\":\"first\"}"))
                .path("redriven")
                .asInt())
        .isEqualTo(1);
    await(dying, 2); // it died again
    String id = letters.path(1).path("id").asText();
    assertThat(
            json(server.post(dying + "/dead-letters/discard", "{\"ids\":[\"" + id + "\"]}"))
                .path("discarded")
                .asInt())
        .isEqualTo(1);
    assertThat(
            json(server.post(dying + "/dead-letters/discard", "{\"all\":true}"))
                .path("discarded")
                .asInt())
        .isEqualTo(1);
    await(dying, 0);
  }

  private static JsonNode await(String inbox, int count) {
    Await.until("there are " + count + " dead letters", () -> letters(inbox).size() == count);
    return letters(inbox);
  }

  private static JsonNode letters(String inbox) {
    return json(server.get(inbox + "/dead-letters")).path("deadLetters");
  }

  @Test
  void inboxes_are_counted() {
    server.post(WAITING + "/messages", "x");

    JsonNode inboxes = json(server.get("/api/inboxes")).path("inboxes");

    assertThat(inboxes).hasSize(3);
    assertThat(inboxes.findValuesAsText("name")).contains("waiting", "orders", "dying");
    inboxes.forEach(
        inbox -> {
          if (inbox.path("name").asText().equals("waiting")) {
            assertThat(inbox.path("ready").asInt()).isPositive();
          }
        });
  }

  @Test
  void a_request_id_is_kept_if_it_is_sane_and_made_if_not() {
    assertThat(server.get("/health/live", "X-Request-Id", "abc-1.2_3").headers().map())
        .extractingByKey("x-request-id")
        .asString()
        .contains("abc-1.2_3");
    assertThat(
            server
                .get("/health/live", "X-Request-Id", "a b;rm")
                .headers()
                .firstValue("X-Request-Id")
                .orElseThrow())
        .matches("[0-9a-f]{32}");
  }

  @Test
  void health_and_metrics_are_there() {
    assertThat(json(server.get("/health/live")).path("status").asText()).isEqualTo("live");
    HttpResponse<String> ready = server.get("/health/ready");
    assertThat(ready.statusCode()).isEqualTo(200);
    assertThat(json(ready).path("store").asText()).isEqualTo("reachable");
    assertThat(server.get("/metrics").body())
        .contains("mailroom_http_requests_seconds_count", "jvm_memory_used_bytes")
        .contains("le=\"2.0\"", "le=\"3.0\"", "le=\"5.0\"", "le=\"10.0\"");
  }
}

package dev.mailroom.server.targets;

import static dev.mailroom.server.TestServer.json;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.mailroom.server.Await;
import dev.mailroom.server.Receiver;
import dev.mailroom.server.TestServer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Deliveries to a target that hangs, fails or is gone, and to healthy targets beside it. */
class HangingTargetTest {
  private static final String SECRET = "a-secret-of-both";
  private static final int MANY = 40;

  @TempDir private Path directory;
  private final Receiver bad = new Receiver();
  private final Receiver good = new Receiver();
  private TestServer server;

  @AfterEach
  void stop() {
    bad.close();
    if (server != null) {
      server.close();
    }
    good.close();
  }

  private void start(String settingsOfBad, String settingsOfSource) {
    server =
        TestServer.start(
            directory,
            """
            sources:
              slow: {provider: hmac, secret: %1$s, hmac: %5$s, targets: [bad]%4$s}
              quick: {provider: hmac, secret: %1$s, hmac: %5$s, targets: [good]}
            inboxes: {orders: {target: bad}}
            targets:
              bad: %2$s
              good: %3$s
            """
                .formatted(
                    SECRET,
                    bad.target(settingsOfBad),
                    good.target(),
                    settingsOfSource,
                    "{header: X-Sign, id: $.id}"));
  }

  /** An event that is about nothing in particular, so that none waits for another. */
  private void send(String source) {
    String body = "{\"id\":\"" + UUID.randomUUID() + "\"}";
    assertThat(server.post("/webhooks/" + source, body, "X-Sign", sign(body)).statusCode())
        .isEqualTo(202);
  }

  private static String sign(String body) {
    try {
      Mac mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(SECRET.getBytes(StandardCharsets.UTF_8), "HmacSHA256"));
      return HexFormat.of().formatHex(mac.doFinal(body.getBytes(StandardCharsets.UTF_8)));
    } catch (GeneralSecurityException e) {
      throw new AssertionError(e);
    }
  }

  private void write(String body, String... headers) {
    assertThat(server.post("/api/inboxes/orders/messages", body, headers).statusCode())
        .isEqualTo(202);
  }

  private JsonNode target(String name) {
    for (JsonNode target : json(server.get("/api/targets")).path("targets")) {
      if (target.path("name").asText().equals(name)) {
        return target;
      }
    }
    throw new AssertionError("There is no target " + name);
  }

  private JsonNode deadLetters(String inbox) {
    return json(server.get("/api/inboxes/" + inbox + "/dead-letters")).path("deadLetters");
  }

  @Test
  void a_hanging_target_delays_no_other_target_and_loses_no_message() throws InterruptedException {
    start("concurrency: 3, timeout: 10m, attempts: 1", "");
    bad.hang();
    for (int i = 0; i < MANY; i++) {
      send("slow");
    }
    Await.until("as many calls hang as there may be", () -> bad.held() == 3);

    for (int i = 0; i < MANY; i++) {
      send("quick");
    }
    for (int i = 0; i < MANY; i++) {
      good.next();
    }

    assertThat(bad.count()).isEqualTo(3);
    assertThat(target("bad").path("callsUnderWay").asInt()).isEqualTo(3);
    assertThat(target("bad").path("concurrency").asInt()).isEqualTo(3);
    assertThat(target("good").path("callsUnderWay").asInt()).isZero();
    Await.until("the rest was deferred", () -> target("bad").path("deferred").asInt() >= 37);

    bad.release();
    for (int i = 0; i < MANY; i++) {
      bad.next();
    }
    assertThat(bad.count()).isEqualTo(MANY);
    assertThat(deadLetters("webhooks")).isEmpty();
  }

  @Test
  void a_source_can_have_a_limit_of_its_own() throws InterruptedException {
    start("concurrency: 10, timeout: 10m, attempts: 1", ", concurrency: 2");
    bad.hang();
    for (int i = 0; i < MANY; i++) {
      send("slow");
    }
    send("quick");
    good.next();
    Await.until("two calls hang", () -> bad.held() == 2);

    bad.release();
    for (int i = 0; i < MANY; i++) {
      bad.next();
    }
    assertThat(bad.count()).isEqualTo(MANY);
  }

  @Test
  void messages_of_one_group_stay_in_order_while_they_are_deferred() throws InterruptedException {
    start("concurrency: 1, timeout: 10m", "");
    bad.hang();
    write("first", "Mailroom-Group", "other");
    Await.until("one call hangs", () -> bad.held() == 1);
    List<String> sent = new ArrayList<>();
    for (int i = 0; i < MANY; i++) {
      sent.add("message " + i);
      write("message " + i, "Mailroom-Group", "group");
    }
    Await.until("some were deferred", () -> target("bad").path("deferred").asInt() > 3);

    bad.release();
    List<String> got = new ArrayList<>();
    for (int i = 0; i <= MANY; i++) {
      got.add(bad.next().body());
    }
    got.remove("first");
    assertThat(got).isEqualTo(sent);
  }

  @Test
  void its_breaker_opens_is_reported_and_closes_when_the_target_is_back() throws Exception {
    start("attempts: 100, breaker-failures: 3, breaker-first-pause: 1m", "");
    bad.answer(503);
    for (int i = 0; i < MANY; i++) {
      write("message " + i);
    }
    Await.until("it is open", () -> breaker("state").equals("open"));

    assertThat(breaker("lastFailure")).contains("answered 503");
    assertThat(target("bad").path("breaker").path("probeInSeconds").asDouble()).isPositive();
    assertThat(server.get("/metrics").body())
        .contains("mailroom_target_breaker{target=\"bad\"} 2.0")
        .contains("mailroom_target_breaker{target=\"good\"} 0.0")
        .contains("mailroom_target_deferred_total{reason=\"breaker\",target=\"bad\"}");
    Await.until(
        "health reports it",
        () ->
            json(server.get("/health/ready"))
                .path("suspendedTargets")
                .path(0)
                .asText()
                .equals("bad"));
    assertThat(server.get("/health/ready").statusCode()).isEqualTo(200);
    int before = bad.count();
    write("one more");
    Await.until(
        "it waits without a call",
        () ->
            json(server.get("/api/inboxes/orders/messages"))
                .toString()
                .contains("is not called for now"));
    assertThat(bad.count()).isEqualTo(before);

    bad.answer(204);
    assertThat(server.post("/api/targets/bad/enable", "").statusCode()).isEqualTo(200);
    assertThat(breaker("state")).isEqualTo("closed");
    write("the last");
    while (!bad.next().body().equals("the last")) {
      // messages that were deferred for less than a minute, or failed, come in between
    }
    assertThat(deadLetters("orders")).isEmpty();
  }

  private String breaker(String field) {
    return target("bad").path("breaker").path(field).asText();
  }

  @Test
  void probes_find_out_that_it_is_back() throws InterruptedException {
    start("attempts: 100, breaker-failures: 3, breaker-first-pause: 100ms", "");
    bad.answer(503);
    for (int i = 0; i < MANY; i++) {
      write("message " + i);
    }
    Await.until("it is open", () -> breaker("state").equals("open"));
    bad.answer(204);

    for (int i = 0; i < MANY; i++) {
      bad.next();
    }
    assertThat(breaker("state")).isEqualTo("closed");
    assertThat(deadLetters("orders")).isEmpty();
  }

  @Test
  void each_answer_counts_as_an_attempt_whatever_retry_after_says() {
    start("attempts: 3, breaker-failures: 0", "");
    bad.answer(503, Map.of("Retry-After", "0"));
    write("message");

    Await.until("it is dead", () -> !deadLetters("orders").isEmpty());
    JsonNode letter = deadLetters("orders").path(0);
    assertThat(letter.path("lastError").path("message").asText()).contains("answered 503");
    assertThat(letter.path("attempts").asInt()).isEqualTo(3);
    assertThat(bad.count()).isEqualTo(3);
  }

  @Test
  void a_target_that_answers_410_is_disabled_until_it_is_enabled() throws InterruptedException {
    start("attempts: 3", "");
    bad.answer(410);
    write("message");
    Await.until("it is dead", () -> !deadLetters("orders").isEmpty());

    assertThat(deadLetters("orders").path(0).path("lastError").path("message").asText())
        .contains("answered 410", "mailroom target enable bad", "/api/targets/bad/enable");
    assertThat(target("bad").path("enabled").asBoolean()).isFalse();
    assertThat(target("bad").path("disabledReason").asText()).contains("410");
    assertThat(server.get("/metrics").body())
        .contains("mailroom_target_disabled{target=\"bad\"} 1.0");
    assertThat(server.post("/api/targets/nothing/enable", "").statusCode()).isEqualTo(404);

    bad.answer(204);
    JsonNode enabled = json(server.post("/api/targets/bad/enable", ""));
    assertThat(enabled.path("enabled").asBoolean()).isTrue();
    server.post("/api/inboxes/orders/dead-letters/redrive", "{\"error\":\"is disabled\"}");
    assertThat(bad.next().body()).isEqualTo("message");
  }
}

package dev.mailroom.server.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.mailroom.server.Await;
import dev.mailroom.server.TestServer;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A message is found by what its sender calls it. */
class FindTest {
  private static final String SECRET = "a-secret-of-github";

  @TempDir private static Path directory;
  private static TestServer server;

  @BeforeAll
  static void start() {
    server =
        TestServer.start(
            directory,
            """
            sources:
              one: {provider: github, secret: %1$s, targets: [broken]}
              two: {provider: github, secret: %1$s, targets: [log], tenant: acme}
            inboxes: {waiting: {}, handled: {target: log}}
            targets:
              log: {}
              broken: {type: command, command: [/bin/false], attempts: 1}
            """
                .formatted(SECRET));
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  private static CommandResult find(String... arguments) {
    return CommandResult.of(
        Stream.of(
                Stream.of("inbox", "find"), Stream.of(arguments), Stream.of("--url", server.url()))
            .flatMap(part -> part)
            .toArray(String[]::new));
  }

  private static void send(String source, String id) {
    String url = server.url() + "/webhooks/" + source;
    assertThat(
            CommandResult.of("send", "github", "--url", url, "--secret", SECRET, "--id", id).code())
        .isZero();
  }

  @Test
  void a_message_is_found_by_its_key_with_its_payload() {
    server.post("/api/inboxes/waiting/messages", "hello", "Idempotency-Key", "order 1/2");

    CommandResult text = find("waiting", "--key", "order 1/2");
    JsonNode found = find("waiting", "--key", "order 1/2", "--json").json().at("/found/0");

    assertThat(text.code()).isZero();
    assertThat(text.out()).contains("order 1/2: message ", ", accepted at ", "ready, attempts 0");
    assertThat(found.at("/message/payload").asText()).isEqualTo("hello");
    assertThat(found.path("messageId")).isEqualTo(found.at("/message/id"));
    assertThat(found.path("acceptedAt")).isEqualTo(found.at("/message/createdAt"));
    assertThat(found.path("stored").asBoolean()).isTrue();
  }

  @Test
  void a_message_that_was_handled_is_known_by_its_key_as_long_as_that_is_remembered() {
    server.post("/api/inboxes/handled/messages", "hello", "Idempotency-Key", "gone");
    Await.until(
        "it is handled",
        () -> !find("handled", "--key", "gone", "--json").json().at("/found/0/stored").asBoolean());

    CommandResult text = find("handled", "--key", "gone");

    assertThat(text.code()).isZero();
    assertThat(text.out())
        .contains("gone: message ", ", accepted at ", "is no longer stored: it has been handled");
  }

  @Test
  void an_event_is_found_by_its_id_with_or_without_its_source() {
    send("one", "evt-1");
    send("two", "evt-1");
    Await.until(
        "its target has failed",
        () -> find("--event-id", "evt-1", "--source", "one").out().contains("dead"));

    JsonNode all = find("--event-id", "evt-1", "--json").json().path("found");
    JsonNode two = find("--event-id", "evt-1", "--source", "two", "--json").json().path("found");

    assertThat(all.findValuesAsText("source")).containsExactly("one", "two");
    assertThat(all.at("/0/message/lastError/message").asText()).contains("exit code 1");
    assertThat(two).hasSize(1);
    assertThat(two.at("/0/tenant").asText()).isEqualTo("acme");
    assertThat(find("--event-id", "evt-1", "--source", "two", "--tenant", "they").code())
        .isEqualTo(1);
  }

  @Test
  void what_is_not_remembered_is_a_failure_that_says_so() {
    CommandResult result = find("waiting", "--key", "unknown");

    assertThat(result.code()).isEqualTo(1);
    assertThat(result.err()).contains("404", "The inbox does not remember it", "give that too");
    assertThat(find("--event-id", "unknown", "--source", "one").code()).isEqualTo(1);
    assertThat(find("--event-id", "x", "--source", "three").err())
        .contains("There is no source 'three'; there are [one, two].");
    assertThat(find("waiting", "--event-id", "x").err()).contains("look in webhooks");
  }

  @Test
  void either_a_key_or_an_event_has_to_be_named() {
    assertThat(find().code()).isEqualTo(2);
    assertThat(find("--key", "a", "--event-id", "b").code()).isEqualTo(2);
    assertThat(find("--source", "one").code()).isEqualTo(2);
    assertThat(server.get("/api/inboxes/waiting/lookup").statusCode()).isEqualTo(400);
    assertThat(server.get("/api/inboxes/waiting/lookup?key=" + "k".repeat(300)).statusCode())
        .isEqualTo(400);
  }
}

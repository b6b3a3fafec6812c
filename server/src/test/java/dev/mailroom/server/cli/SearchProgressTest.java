package dev.mailroom.server.cli;

import static dev.mailroom.server.TestServer.json;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.mailroom.server.TestServer;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A search that has not found anything yet says how far it has looked. */
class SearchProgressTest {
  private static final String MESSAGES = "/api/inboxes/waiting/messages";

  @TempDir private Path directory;

  @Test
  void an_empty_page_says_down_to_where_it_has_looked_and_how_to_go_on() {
    try (TestServer server = TestServer.start(directory, "inboxes: {waiting: {}}")) {
      JsonNode first = json(server.post(MESSAGES + "?contract=sought", "first"));
      server.fill("waiting", 10_500); // a search looks at 10,000 at a time

      JsonNode empty = json(server.get(MESSAGES + "?contract=sought"));
      JsonNode searched = empty.path("searched");
      JsonNode rest =
          json(server.get(MESSAGES + "?contract=sought&after=" + empty.path("next").asText()));

      assertThat(empty.path("messages")).isEmpty();
      assertThat(searched.path("complete").asBoolean()).isFalse();
      assertThat(searched.path("downToId").asText()).isGreaterThan(first.path("id").asText());
      assertThat(searched.path("downTo").asText())
          .isGreaterThan(first.path("acceptedAt").asText().substring(0, 19));
      assertThat(rest.at("/messages/0/id")).isEqualTo(first.path("id"));
      assertThat(rest.at("/searched/complete").asBoolean()).isTrue();
      assertThat(rest.path("searched").has("downToId")).isFalse();
      assertThat(list(server, "--contract", "sought"))
          .contains(
              "Nothing found yet, down to message " + searched.path("downToId").asText() + " of 20",
              "next: --after " + empty.path("next").asText());
      assertThat(list(server, "--contract", "sought", "--after", empty.path("next").asText()))
          .contains(first.path("id").asText())
          .doesNotContain("next:");
      assertThat(list(server, "--state", "dead", "--contract", "sought"))
          .contains("Nothing found; every message was looked at.");
    }
  }

  private static String list(TestServer server, String... filter) {
    return CommandResult.of(
            Stream.concat(
                    Stream.of("inbox", "list", "waiting", "--url", server.url()), Stream.of(filter))
                .toArray(String[]::new))
        .out();
  }
}

package dev.mailroom.server.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mailroom.server.Await;
import dev.mailroom.server.TestServer;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CommandLineTest {
  private static final String SECRET = "a-secret-of-github";

  @TempDir private static Path directory;
  private static TestServer server;

  @BeforeAll
  static void start() {
    server =
        TestServer.start(
            directory,
            """
            sources: {github: {provider: github, secret: %s, targets: [log]}}
            inboxes: {waiting: {}, dying: {target: broken}}
            targets: {log: {}, broken: {type: command, command: [/bin/false], attempts: 1}}
            """
                .formatted(SECRET));
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  private static CommandResult run(String... arguments) {
    return CommandResult.of(arguments);
  }

  private static CommandResult call(String... arguments) {
    List<String> all = new ArrayList<>(List.of(arguments));
    all.addAll(List.of("--url", server.url()));
    return run(all.toArray(String[]::new));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "serve",
        "migrate",
        "send",
        "inbox",
        "inbox write",
        "inbox list",
        "inbox show",
        "inbox find",
        "dead",
        "dead list",
        "dead redrive",
        "dead discard",
        "target",
        "target list",
        "target enable",
        "doctor",
        "config"
      })
  void every_command_explains_itself(String command) {
    List<String> arguments = new ArrayList<>(List.of(command.split(" ")));
    arguments.remove("");
    arguments.add("--help");

    CommandResult result = run(arguments.toArray(String[]::new));

    assertThat(result.code()).isZero();
    assertThat(result.out()).contains("Usage: mailroom");
  }

  @Test
  void targets_are_listed_and_enabled() {
    CommandResult listed = call("target", "list");
    assertThat(listed.code()).isZero();
    assertThat(listed.out()).contains("breaker.state").containsPattern("broken +true +closed");

    CommandResult enabled = call("target", "enable", "broken", "--json");
    assertThat(enabled.json().path("enabled").asBoolean()).isTrue();
    assertThat(call("target", "enable", "broken").out()).contains("Target 'broken' is enabled.");
    assertThat(call("target", "enable", "nothing").code()).isEqualTo(1);
  }

  @Test
  void what_is_no_command_is_wrong_usage() {
    assertThat(run("srve").code()).isEqualTo(2);
    assertThat(run("serve", "--no-such-flag").code()).isEqualTo(2);
    assertThat(run("inbox").code()).isEqualTo(2);
    assertThat(run("send").code()).isEqualTo(2);
  }

  @Test
  void a_message_is_written_listed_and_shown() {
    CommandResult written = call("inbox", "write", "waiting", "hello", "--group", "g", "--json");
    String id = written.json().path("id").asText();

    assertThat(written.code()).isZero();
    assertThat(call("inbox", "list").out()).contains("waiting");
    assertThat(call("inbox", "list", "waiting").out()).contains(id, "ready");
    assertThat(call("inbox", "list", "waiting", "--group", "g").out()).contains(id);
    assertThat(call("inbox", "list", "waiting", "--tenant", "them").out()).doesNotContain(id);
    assertThat(call("inbox", "show", "waiting", id).json().path("payload").asText())
        .isEqualTo("hello");
    assertThat(call("inbox", "write", "waiting", "x", "--idempotency-key", "k").out())
        .startsWith("accepted ");
    assertThat(call("inbox", "write", "waiting", "x", "--idempotency-key", "k").out())
        .startsWith("duplicate ");
  }

  @Test
  void what_the_server_refuses_is_a_failure_with_its_reason() {
    CommandResult result = call("inbox", "write", "nowhere", "x");

    assertThat(result.code()).isEqualTo(1);
    assertThat(result.err()).contains("404", "There is no inbox 'nowhere'");
  }

  @Test
  void a_server_that_is_not_there_has_an_exit_code_of_its_own() {
    CommandResult result = run("inbox", "list", "--url", "http://127.0.0.1:1");

    assertThat(result.code()).isEqualTo(3);
    assertThat(result.err()).contains("Start it: mailroom serve");
  }

  @Test
  void dead_letters_are_listed_redriven_with_progress_and_discarded() {
    for (int i = 0; i < 3; i++) {
      call("inbox", "write", "dying", "x");
    }
    Await.until(
        "three are dead",
        () -> call("dead", "list", "dying", "--json").json().path("deadLetters").size() == 3);

    assertThat(call("dead", "list", "dying").out()).contains("exit code 1");
    assertThat(call("dead", "redrive", "dying").code()).isEqualTo(2);
    assertThat(call("dead", "redrive", "dying", "--all").out()).contains("3 dead letters redriven");
    Await.until(
        "three are dead again",
        () -> call("dead", "list", "dying", "--json").json().path("deadLetters").size() == 3);
    assertThat(
            call("dead", "discard", "dying", "--error", "exit code", "--json")
                .json()
                .path("discarded")
                .asInt())
        .isEqualTo(3);
    assertThat(
            call("dead", "redrive", "dying", "--id", "00000000-0000-0000-0000-000000000000").code())
        .isEqualTo(1);
  }

  @Test
  void a_sample_is_sent_to_a_source_or_to_any_url() throws IOException {
    Path file = directory.resolve("send.yaml");
    Files.writeString(
        file, "sources: {github: {provider: github, secret: " + SECRET + ", targets: []}}");
    String url = server.url() + "/webhooks/github";

    CommandResult configured =
        run("send", "github", "-c", file.toString(), "--url", url, "--id", "one");
    CommandResult again =
        run("send", "github", "--url", url, "--secret", SECRET, "--id", "one", "--json");
    CommandResult forged = run("send", "github", "--url", url, "--secret", "wrong");

    assertThat(configured.out()).contains("answered 202");
    assertThat(again.json().path("status").asInt()).isEqualTo(200);
    assertThat(forged.code()).isEqualTo(1);
    assertThat(forged.out()).contains("401", "bad-signature");
    assertThat(run("send", "--list").out()).contains("stripe", "github", "adyen");
    assertThat(run("send", "unknown", "-c", file.toString()).code()).isEqualTo(2);
    assertThat(run("send", "github", "--url", "http://127.0.0.1:1/", "--secret", "x").code())
        .isEqualTo(3);
  }

  @Test
  void a_sample_of_a_source_is_signed_with_the_secret_that_is_given() throws IOException {
    Path file = directory.resolve("other-secret.yaml");
    int port = URI.create(server.url()).getPort();
    Files.writeString(
        file,
        """
        listen: {port: %d}
        sources: {github: {provider: github, secret: not-that-of-the-server}}
        """
            .formatted(port));

    CommandResult own = run("send", "github", "-c", file.toString());
    CommandResult given = run("send", "github", "-c", file.toString(), "--secret", SECRET);

    assertThat(own.out()).contains("answered 401");
    assertThat(given.out()).contains("answered 202");
  }

  @Test
  void the_configuration_is_checked_and_listed() throws IOException {
    Path good = directory.resolve("good.yaml");
    Files.writeString(good, "sources: {a: {provider: github, secret: hush}}");
    Path bad = directory.resolve("bad.yaml");
    Files.writeString(bad, "sources: {a: {provider: gihtub, secret: hush}, b: {provider: stripe}}");

    CommandResult fine = run("serve", "--check-config", "-c", good.toString());
    CommandResult wrong = run("serve", "--check-config", "-c", bad.toString());

    assertThat(fine.code()).isZero();
    assertThat(fine.out()).contains("1 sources");
    assertThat(wrong.code()).isEqualTo(2);
    assertThat(wrong.err())
        .contains("there is no provider 'gihtub'", "Did you mean 'github'?", "sources.b");
    assertThat(run("config").out()).contains("listen.port", "default 8080");
    assertThat(run("config", "--json").json()).hasSizeGreaterThan(30);
    assertThat(run("config", "--values", "-c", good.toString()).out())
        .contains("sources.a.secret: (secret)")
        .doesNotContain("hush");
  }

  @Test
  void set_values_are_json_with_their_origins_and_without_secrets() throws IOException {
    Path file = directory.resolve("values.yaml");
    Files.writeString(
        file,
        """
        store: {url: 'jdbc:postgresql://me:hush@host/db?password=hush', password: hush}
        sources: {a: {provider: github, secret: 'file:x.txt', targets: [slack, run]}}
        targets:
          slack:
            type: http
            url: https://hooks.slack.com/services/T01/B02/hush
            secrets: [hush, 'env:PATH']
          run: {type: command, command: [run, --token, hush]}
        """);
    Files.writeString(directory.resolve("x.txt"), "hush");
    String[] command = {"config", "--values", "-c", file.toString(), "--set", "listen.port=9090"};
    List<String> json = new ArrayList<>(List.of(command));
    json.add("--json");
    json.addAll(List.of("--set", "sources.a.secret=file:" + directory.resolve("x.txt")));

    CommandResult result = run(json.toArray(String[]::new));

    assertThat(result.code()).isZero();
    assertThat(result.out() + result.err()).doesNotContain("hush");
    assertThat(result.json().at("/listen.port/value").asText()).isEqualTo("9090");
    assertThat(result.json().at("/listen.port/from").asText()).isEqualTo("flag listen.port");
    assertThat(result.json().at("/store.url/value").asText())
        .isEqualTo("jdbc:postgresql://me:(secret)@host/db?password=(secret)");
    assertThat(result.json().at("/store.url/from").asText()).endsWith("values.yaml line 1");
    assertThat(result.json().at("/targets.slack.secrets/value"))
        .hasToString("[\"(secret)\",\"env:PATH\"]");
    assertThat(result.json().at("/targets.run.command/value"))
        .hasToString("[\"run\",\"--token\",\"(secret)\"]");
    assertThat(result.json()).hasSize(11);
  }

  @Test
  void values_of_a_configuration_that_is_wrong_are_no_output_for_programs() {
    CommandResult result =
        run("config", "--values", "--json", "--set", "listen.port=x", "--set", "nonsense=1");

    assertThat(result.code()).isEqualTo(2);
    assertThat(result.out()).isEmpty();
    assertThat(result.err()).contains("'listen.port' is x", "'nonsense' is no setting");
  }

  @Test
  void no_option_means_two_things() {
    assertThat(run("inbox", "find", "--help").out()).contains("--api-key", "--key", "--event-id");
    assertThat(run("dead", "list", "x", "--key", "k").code()).isEqualTo(2);
  }
}

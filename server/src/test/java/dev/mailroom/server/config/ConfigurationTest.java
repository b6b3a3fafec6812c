package dev.mailroom.server.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ConfigurationTest {
  private static final String POST = "targets: {post: {type: http, url: 'https://example.com'}}";

  @TempDir private Path directory;
  private final Map<String, String> environment = new HashMap<>();
  private final Map<String, String> flags = new HashMap<>();

  private ServerOptions read(String yaml) throws IOException {
    return OptionsReader.read(configuration(yaml));
  }

  private Configuration configuration(String yaml) throws IOException {
    Files.writeString(directory.resolve("mailroom.yaml"), yaml);
    ConfigurationReader reader = new ConfigurationReader(directory, environment);
    flags.forEach(reader::flag);
    return reader.read();
  }

  @Test
  void without_a_file_everything_has_its_default() {
    ServerOptions options =
        OptionsReader.read(new ConfigurationReader(directory, environment).read());

    assertThat(options.listen()).isEqualTo(new ServerOptions.Listen("127.0.0.1", 8080));
    assertThat(options.store().isEmbedded()).isTrue();
    assertThat(options.store().migrate()).isTrue();
    assertThat(options.access().keys()).isEmpty();
    assertThat(options.limits().body()).isEqualTo(1 << 20);
    assertThat(options.diagnostics()).isFalse();
  }

  @Test
  void a_flag_goes_before_the_environment_and_that_before_the_file() throws IOException {
    String yaml = "listen: {port: 1001}\nlimits: {threads: 51, connections: 61}\n";
    environment.put("MAILROOM_LISTEN_PORT", "1002");
    environment.put("MAILROOM_LIMITS_THREADS", "52");
    flags.put("listen.port", "1003");

    ServerOptions options = read(yaml);

    assertThat(options.listen().port()).isEqualTo(1003);
    assertThat(options.limits().threads()).isEqualTo(52);
    assertThat(options.limits().connections()).isEqualTo(61);
  }

  @Test
  void an_unknown_key_is_an_error_with_its_line_and_a_suggestion() {
    assertThatThrownBy(() -> read("listen:\n  adress: 0.0.0.0\n"))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("line 2")
        .hasMessageContaining("'listen.adress' is no setting")
        .hasMessageContaining("Did you mean 'listen.address'?");
  }

  @Test
  void an_unknown_key_of_a_source_is_suggested_with_the_name_of_the_source() {
    assertThatThrownBy(() -> read("sources: {mine: {provider: github, secert: x}}"))
        .hasMessageContaining("Did you mean 'sources.mine.secret'?");
  }

  @Test
  void an_unknown_flag_is_an_error() {
    flags.put("listen.prot", "1");

    assertThatThrownBy(() -> read("")).hasMessageContaining("Did you mean 'listen.port'?");
  }

  @Test
  void an_unknown_variable_is_only_a_warning_because_platforms_set_some() throws IOException {
    environment.put("MAILROOM_SERVICE_HOST", "10.0.0.1");
    environment.put("MAILROOM_LISTEN_PROT", "1");

    Configuration configuration = configuration("");

    assertThat(configuration.warnings()).hasSize(2);
    assertThat(configuration.warnings().get(0)).contains("MAILROOM_LISTEN_PORT?");
  }

  @Test
  void all_problems_are_reported_at_once() {
    String yaml =
        """
        listen: {port: ninety}
        limits: {body: 1 potato, request-time: soon}
        log: {format: xml}
        metrics: {open: maybe}
        nonsense: 1
        """;

    assertThatThrownBy(() -> read(yaml))
        .isInstanceOfSatisfying(
            ConfigurationException.class, error -> assertThat(error.problems()).hasSize(6))
        .hasMessageContaining("'listen.port' is ninety: it must be a whole number.")
        .hasMessageContaining("'limits.body' is 1 potato: it must be a size")
        .hasMessageContaining("'limits.request-time' is soon: it must be a duration")
        .hasMessageContaining("'log.format' is xml: it must be one of text, json")
        .hasMessageContaining("'metrics.open' is maybe: it must be true or false")
        .hasMessageContaining("'nonsense' is no setting");
  }

  @Test
  void a_key_that_is_given_twice_is_an_error() {
    assertThatThrownBy(() -> read("listen: {port: 1}\nlisten: {port: 2}\n"))
        .hasMessageContaining("'listen' was given before")
        .hasMessageContaining("line 2")
        .hasMessageContaining("line 1");
    assertThatThrownBy(() -> read("listen.port: 1\nlisten: {port: 2}\n"))
        .hasMessageContaining("'listen.port' was given before");
  }

  @Test
  void a_name_that_is_given_twice_is_an_error_even_if_its_parts_hold_different_settings() {
    String yaml = "sources:\n  a: {provider: github}\n  a: {secret: hush}\n";

    assertThatThrownBy(() -> read(yaml)).hasMessageContaining("'sources.a' was given before");
  }

  @Test
  void what_is_not_yaml_is_an_error() {
    assertThatThrownBy(() -> read("listen: [")).hasMessageContaining("is not YAML");
  }

  @Test
  void a_missing_file_that_was_named_is_an_error() {
    Configuration configuration =
        new ConfigurationReader(directory, environment).file(Path.of("not.there")).read();

    assertThatThrownBy(() -> OptionsReader.read(configuration))
        .hasMessageContaining("not.there cannot be read");
    assertThatThrownBy(configuration::requireValid)
        .hasMessageContaining("not.there cannot be read");
  }

  @Test
  void names_with_dashes_are_found_by_variables() throws IOException {
    environment.put("MAILROOM_SOURCES_MY_HOOKS_SECRET", "from the environment");
    environment.put("MAILROOM_TARGETS_NEW_ONE_TYPE", "log");

    ServerOptions options = read("sources: {My-Hooks: {provider: github}}");

    assertThat(options.sources().get(0).secrets().get(0).value().reveal())
        .isEqualTo("from the environment");
    assertThat(options.targets()).containsKey("new-one");
  }

  @Test
  void secrets_come_from_the_environment_from_files_or_as_they_are() throws IOException {
    environment.put("STRIPE", "from-environment");
    Files.writeString(directory.resolve("secret.txt"), "from-file\n");

    ServerOptions options =
        read(
            """
            sources:
              a: {provider: github, secret: "env:STRIPE"}
              b: {provider: github, secret: "file:secret.txt"}
              c: {provider: github, secret: literal}
            """);

    assertThat(options.sources())
        .extracting(source -> source.secrets().get(0).value().reveal())
        .containsExactly("from-environment", "from-file", "literal");
  }

  @Test
  void an_unresolved_secret_is_an_error() {
    String yaml =
        "sources: {a: {provider: github, secret: 'env:NOT_THERE'},"
            + " b: {provider: github, secret: 'file:not-there'}}";

    assertThatThrownBy(() -> read(yaml))
        .hasMessageContaining("the environment variable NOT_THERE is not set")
        .hasMessageContaining("not-there cannot be read");
  }

  @Test
  void secrets_are_never_shown() throws IOException {
    Configuration configuration =
        configuration(
            """
            api: {keys: {ops: super-secret-super-secret}}
            sources: {a: {provider: github, secret: hush-hush, verify-token: "env:TOKEN_OF_A"}}
            """
                .replace("\"env:TOKEN_OF_A\"", "also-hush"));

    assertThat(configuration.shown().toString())
        .contains("(secret)")
        .doesNotContain("hush", "super-secret");
    assertThat(OptionsReader.read(configuration).toString()).doesNotContain("hush", "super-secret");
  }

  @Test
  void of_secrets_on_one_line_each_is_hidden_by_itself() throws IOException {
    environment.put("NEW", "newest");
    flags.put("targets.post.secrets", "env:NEW, hush-hush");

    Configuration configuration = configuration(POST);

    assertThat(configuration.shown())
        .filteredOn(value -> value.name().equals("targets.post.secrets"))
        .singleElement()
        .satisfies(value -> assertThat(value.texts()).containsExactly("env:NEW", "(secret)"));
  }

  @Test
  void of_secrets_on_one_line_each_variable_is_withheld() throws IOException {
    environment.put("NEW", "newest");
    environment.put("OLD", "older");
    flags.put("targets.post.secrets", "env:NEW, env:OLD");

    assertThat(configuration(POST).secretVariables()).containsExactlyInAnyOrder("NEW", "OLD");
  }

  @Test
  void several_secrets_have_labels_and_can_expire() throws IOException {
    ServerOptions options =
        read(
            """
            sources:
              a:
                provider: github
                secrets:
                  new: {value: one}
                  old: {value: two, expires: 2026-12-01T00:00:00Z}
            """);

    assertThat(options.sources().get(0).secrets())
        .extracting(ServerOptions.SourceSecret::label)
        .containsExactly("new", "old");
    assertThat(options.sources().get(0).secrets().get(1).expires()).isNotNull();
  }

  @Test
  void lists_are_lists_or_divided_by_commas() throws IOException {
    environment.put("MAILROOM_TARGETS_ONE_TYPES", "push, issues.*");

    ServerOptions options =
        read("targets: {one: {type: log}, two: {type: command, command: ['/bin/x', 'a, b']}}");

    assertThat(options.targets().get("one").types()).containsExactly("push", "issues.*");
    assertThat(command(options, "two")).containsExactly("/bin/x", "a, b");
  }

  @Test
  void a_list_of_one_element_is_not_divided() throws IOException {
    environment.put("MAILROOM_TARGETS_THREE_COMMAND", "/bin/x,y");

    ServerOptions options =
        read(
            """
            targets:
              one: {type: command, command: ['/opt/a,b']}
              two: {type: command, command: '/opt/a,b'}
              three: {type: command, command: ['/opt/a,b']}
            """);

    assertThat(command(options, "one")).containsExactly("/opt/a,b");
    assertThat(command(options, "two")).containsExactly("/opt/a", "b");
    assertThat(command(options, "three")).containsExactly("/bin/x", "y");
  }

  private static List<String> command(ServerOptions options, String target) {
    return ((ServerOptions.Kind.Program) options.targets().get(target).kind()).command();
  }

  @Test
  void an_inbox_can_be_named_without_settings() throws IOException {
    ServerOptions options = read("inboxes:\n  orders:\n  mail: {}\n");

    assertThat(options.inboxes())
        .extracting(ServerOptions.InboxSettings::name)
        .containsExactly("mail", "orders");
    assertThat(options.inboxes().get(0).deduplicationWindow()).isEqualTo(Duration.ofDays(7));
  }

  @Test
  void limits_that_let_nothing_through_are_refused() {
    assertThatThrownBy(
            () ->
                read(
                    """
                    limits: {body: 2MiB, bodies: 1MiB, header-time: 0s}
                    store: {timeout: 0s}
                    """))
        .hasMessageContaining("'limits.bodies': it must be at least limits.body")
        .hasMessageContaining("'limits.header-time': it must be longer than zero")
        .hasMessageContaining("'store.timeout': it must be longer than zero");
  }

  @Test
  void inconsistent_settings_are_reported_at_once() {
    String yaml =
        """
        store: {url: "postgres://user:password@host/db"}
        listen: {port: 70000}
        api: {keys: {ops: short}}
        sources:
          one: {secret: x}
          two: {provider: github, secret: x, path: /api/hooks, targets: [lgo]}
          three: {provider: hmac, secret: x}
        inboxes: {webhooks: {}, orders: {target: nowhere}}
        targets:
          log: {}
          post: {type: http}
          run: {type: command}
          again: {attempts: 0}
        """;

    assertThatThrownBy(() -> read(yaml))
        .hasMessageContaining("it must begin with one of jdbc:sqlite:")
        .hasMessageContaining("a port is from 0 to 65535")
        .hasMessageContaining("a key has at least 16 characters")
        .hasMessageContaining("line 5: sources.one.provider is missing")
        .hasMessageContaining("the server itself answers at /api/hooks")
        .hasMessageContaining("there is no target 'lgo'")
        .hasMessageContaining("Did you mean 'log'?")
        .hasMessageContaining("sources.three.hmac.header is missing")
        .hasMessageContaining("line 8: 'inboxes.webhooks': an inbox cannot be called so")
        .hasMessageContaining("there is no target 'nowhere'")
        .hasMessageContaining("targets.post.url is missing")
        .hasMessageContaining("targets.post.secrets is missing")
        .hasMessageContaining("targets.run.command is missing")
        .hasMessageContaining("'targets.again.attempts': it must be at least 1, not 0")
        .hasMessageNotContaining("user:password");
  }

  @Test
  void only_the_embedded_store_is_migrated_unasked() throws IOException {
    assertThat(read("store: {url: 'jdbc:postgresql://host/db'}").store().migrate()).isFalse();
    assertThat(read("store: {url: 'jdbc:postgresql://host/db', migrate: yes}").store().migrate())
        .isTrue();
    assertThat(read("store: {migrate: no}").store().migrate()).isFalse();
  }

  @Test
  void a_blank_key_is_no_way_to_open_the_api() {
    assertThatThrownBy(() -> read("api: {keys: {ops: \"\"}}"))
        .hasMessageContaining("a key has at least 16 characters");
  }

  @Test
  void a_store_is_shown_without_passwords() throws IOException {
    ServerOptions options =
        read("store: {url: 'jdbc:postgresql://me:hush@host/db?password=hush&user=me'}");

    assertThat(options.store().shown()).isEqualTo("jdbc:postgresql://host/db");
    assertThat(options.store().toString()).doesNotContain("hush");
  }
}

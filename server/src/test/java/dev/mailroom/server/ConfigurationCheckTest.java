package dev.mailroom.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.mailroom.server.config.Configuration;
import dev.mailroom.server.config.ConfigurationException;
import dev.mailroom.server.config.ConfigurationReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** All problems of a configuration are reported at once, with their lines. */
class ConfigurationCheckTest {
  @TempDir private Path directory;

  private List<String> problems(String yaml) throws IOException {
    Files.writeString(directory.resolve("mailroom.yaml"), yaml);
    Configuration configuration = new ConfigurationReader(directory, Map.of()).read();
    return catchThrowableOfType(
            ConfigurationException.class, () -> ConfigurationCheck.read(configuration))
        .problems();
  }

  private static void assertReported(List<String> problems, String... wanted) {
    for (String each : wanted) {
      assertThat(problems).as(each).filteredOn(problem -> problem.contains(each)).hasSize(1);
    }
    assertThat(problems).hasSize(wanted.length);
  }

  @Test
  void faults_of_every_kind_in_one_file_are_reported_at_once_with_their_lines() throws IOException {
    List<String> problems =
        problems(
            """
            listen: {port: 70000, adress: 0.0.0.0}
            limits: {body: large}
            delivery: {lease: soon}
            sources:
              one: {provider: gihtub, secret: 'env:NOT_SET', targets: [lgo]}
              two: {provider: github, secret: hush, path: no-slash}
              two: {provider: stripe}
              three: {secret: hush}
            inboxes: {orders: {target: nowhere, history: 0s}}
            targets:
              log: {attempts: 0, first-delay: 0s}
              post: {type: http, url: 'htp:/nowhere', secrets: ['env:NOT_SET_EITHER']}
              signed: {type: http, url: 'https://example.com/', secrets: [not-base64]}
              run: {type: command}
              slow: {longest-delay: 1s}
            """);

    assertReported(
        problems,
        "line 1: 'listen.port': a port is from 0 to 65535",
        "line 1: 'listen.adress' is no setting. Did you mean 'listen.address'?",
        "line 2: 'limits.body' is large: it must be a size",
        "line 3: 'delivery.lease' is soon: it must be a duration",
        "line 5: 'sources.one.provider': there is no provider 'gihtub'",
        "line 5: 'sources.one.secret': the environment variable NOT_SET is not set",
        "line 5: 'sources.one.targets': there is no target 'lgo'",
        "line 6: 'sources.two': path is no-slash",
        "line 7: 'sources.two' was given before",
        "line 8: sources.three.provider is missing",
        "line 9: 'inboxes.orders.target': there is no target 'nowhere'",
        "line 9: 'inboxes.orders.history': it must be longer than zero",
        "line 11: 'targets.log.attempts': it must be at least 1, not 0",
        "line 11: 'targets.log.first-delay': it must be longer than zero",
        "'targets.slow.longest-delay': it must not be shorter than first-delay, which is 5s",
        "line 12: 'targets.post.url': it must be a URL",
        "line 12: 'targets.post.secrets': the environment variable NOT_SET_EITHER is not set",
        "line 13: 'targets.signed'",
        "line 14: targets.run.command is missing");
    assertThat(String.join("\n", problems)).doesNotContain("hush", "not-base64");
  }

  @Test
  void faults_between_settings_are_reported_when_every_setting_is_valid() throws IOException {
    assertReported(
        problems(
            """
            sources:
              one: {provider: github, secret: hush, path: /in, targets: [log, log]}
              two: {provider: github, secret: hush, path: /in}
            targets: {log: {}}
            """),
        "path of source 'two' is /in",
        "handler 'one/log' is not unique");
  }

  @Test
  void an_unresolved_secret_is_reported_once_and_hides_no_other_fault() throws IOException {
    assertReported(
        problems(
            """
            api: {keys: {ops: 'file:nowhere'}}
            sources: {one: {provider: github, secret: 'env:NOT_SET', public-url: nowhere}}
            """),
        "'api.keys.ops': the file ",
        "'sources.one.secret': the environment variable NOT_SET is not set",
        "'sources.one': publicUrl is nowhere");
  }
}

package dev.mailroom.server.targets;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mailroom.server.Receiver;
import dev.mailroom.server.config.Configuration;
import dev.mailroom.server.config.ConfigurationException;
import dev.mailroom.server.config.ConfigurationReader;
import dev.mailroom.server.config.OptionsReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Invalid target URLs are reported at the start. */
class TargetUrlsTest {
  @TempDir private Path directory;

  private void make(String url, Map<String, String> environment) throws Exception {
    Path file =
        Files.writeString(
            directory.resolve("mailroom.yaml"),
            "targets: {post: {type: http, url: '%s', secrets: [%s]}}"
                .formatted(url, Receiver.SECRET));
    Configuration configuration = new ConfigurationReader(directory, environment).file(file).read();
    new DeliveryTargets(OptionsReader.read(configuration), directory, Set.of()).close();
  }

  @ParameterizedTest
  @CsvSource({
    "http://order_service/hook, must have no '_'",
    "http://order_service:8080/hook, must have no '_'",
    "http://orders:99999/hook, port is 99999: must be from 1 to 65535",
    "http://orders:0/hook, port is 0: must be from 1 to 65535",
  })
  void a_host_or_port_that_cannot_be_is_refused(String url, String reason) throws Exception {
    assertThatThrownBy(() -> make(url, Map.of()))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("targets.post")
        .hasMessageContaining(reason);
    assertThatThrownBy(() -> make("http://orders/", Map.of("MAILROOM_TARGETS_POST_URL", url)))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("targets.post")
        .hasMessageContaining(reason);
  }

  @Test
  void a_valid_url_is_accepted() throws Exception {
    make("http://orders:8080/order_hook", Map.of());

    assertThat(directory.resolve("mailroom.yaml")).exists();
  }
}

package dev.mailroom.server.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

class SettingsPageTest {
  private static final Path ROOT = Path.of("").toAbsolutePath().getParent();

  @SuppressWarnings("unused") // by name, above the test
  private static final java.util.List<Setting> ALL = KnownSettings.ALL;

  /** If it fails: ./mailroom config --markdown prints the table. */
  @Test
  void the_page_has_the_table_of_all_settings() throws IOException {
    assertThat(Files.readString(ROOT.resolve("docs/server-configuration.md")))
        .contains(SettingsPage.markdown());
  }

  @Test
  void the_example_configuration_is_right() {
    ServerOptions options =
        OptionsReader.read(
            new ConfigurationReader(ROOT, Map.of()).file(Path.of("mailroom.yaml")).read());

    assertThat(options.sources()).hasSize(2);
    assertThat(options.listen().address()).isEqualTo("127.0.0.1");
  }

  @ParameterizedTest
  @FieldSource("ALL")
  void every_setting_has_a_default_of_its_own_type_and_a_variable(Setting setting) {
    if (setting.fallback() != null && !setting.choices().isEmpty()) {
      assertThat(setting.choices()).contains(setting.fallback());
    }
    assertThat(setting.meaning()).endsWith(".");
    String name = setting.name().replaceAll("<(\\w+)>", "some");
    assertThat(new EnvironmentNames(java.util.List.of()).setting(EnvironmentNames.variable(name)))
        .contains(name);
  }
}

package dev.mailroom.server.cli;

import dev.mailroom.server.config.Configuration;
import dev.mailroom.server.config.ConfigurationReader;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The flags by which a configuration is found and changed. */
final class ConfigOptions {
  @Option(
      names = {"-c", "--config"},
      paramLabel = "FILE",
      description = "The configuration file. Default: $MAILROOM_CONFIG, or ./mailroom.yaml.")
  @Nullable Path file;

  @Option(
      names = {"-s", "--set"},
      paramLabel = "NAME=VALUE",
      description = "Sets one setting, such as --set listen.port=9090. See: mailroom config.")
  Map<String, String> settings = new LinkedHashMap<>();

  ConfigurationReader reader() {
    ConfigurationReader reader =
        new ConfigurationReader(Path.of("").toAbsolutePath(), System.getenv()).file(file);
    settings.forEach(reader::flag);
    return reader;
  }

  Configuration read() {
    return reader().read();
  }
}

package dev.mailroom.server.config;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Reads the configuration: the file first, then the environment, then flags; what comes later wins.
 * An unknown name in the file or in a flag is an error. In the environment it is only a warning,
 * because platforms set variables of their own.
 */
public final class ConfigurationReader {
  /** The file that is read if none is named and it exists: {@value}. */
  public static final String DEFAULT_FILE = "mailroom.yaml";

  private final Path directory;
  private final Map<String, String> environment;
  private @Nullable Path file;
  private final Map<String, String> flags = new LinkedHashMap<>();

  /**
   * Reads as a process would.
   *
   * @param directory where relative paths begin
   * @param environment the process's environment
   */
  public ConfigurationReader(Path directory, Map<String, String> environment) {
    this.directory = directory;
    this.environment = Map.copyOf(environment);
  }

  /** Reads this file, or, if null, what {@code MAILROOM_CONFIG} names, or the default one. */
  public ConfigurationReader file(@Nullable Path value) {
    file = value;
    return this;
  }

  /** Sets one setting by its name, above all else. */
  public ConfigurationReader flag(String name, String value) {
    flags.put(name, value);
    return this;
  }

  /**
   * All given settings. {@link OptionsReader} reports invalid and inconsistent ones at once, or
   * {@link Configuration#requireValid} the invalid ones.
   */
  public Configuration read() {
    Problems problems = new Problems();
    Map<String, Value> values = new TreeMap<>();
    Path read = chosen();
    if (read != null) {
      YamlFile.read(read, values, problems);
    }
    refuseUnknown(values, problems);
    List<String> warnings = new ArrayList<>();
    takeEnvironment(values, warnings);
    takeFlags(values, problems);
    return new Configuration(read, values, directory, environment, warnings, problems);
  }

  private @Nullable Path chosen() {
    if (file != null) {
      return directory.resolve(file);
    }
    String named = environment.get("MAILROOM_CONFIG");
    if (named != null && !named.isBlank()) {
      return directory.resolve(named);
    }
    Path usual = directory.resolve(DEFAULT_FILE);
    return Files.exists(usual) ? usual : null;
  }

  private static void refuseUnknown(Map<String, Value> values, Problems problems) {
    values
        .entrySet()
        .removeIf(
            given -> {
              String name = given.getKey();
              boolean known =
                  given.getValue().texts().isEmpty()
                      ? KnownSettings.ALL.stream().anyMatch(setting -> begins(setting, name))
                      : KnownSettings.find(name).isPresent();
              if (!known) {
                problems.add(unknown(given.getValue().origin(), name));
              }
              return !known;
            });
  }

  /** Whether the name is that of the setting or of something around it. */
  private static boolean begins(Setting setting, String name) {
    List<String> own = setting.parts();
    int parts = name.split("\\.", -1).length;
    return parts <= own.size()
        && Setting.row(String.join(".", own.subList(0, parts)), setting.type(), null, "")
            .matches(name);
  }

  private void takeEnvironment(Map<String, Value> values, List<String> warnings) {
    EnvironmentNames names = new EnvironmentNames(List.copyOf(values.keySet()));
    new TreeMap<>(environment)
        .forEach(
            (variable, text) -> {
              if (!variable.startsWith(EnvironmentNames.PREFIX) || isOurs(variable, values)) {
                return;
              }
              Optional<String> name = names.setting(variable);
              if (name.isPresent()) {
                values.put(name.get(), Value.of(text, "environment " + variable));
              } else {
                warnings.add(
                    "The environment variable "
                        + variable
                        + " is no setting and is ignored"
                        + didYouMean(variable));
              }
            });
  }

  /** Variables that are no settings: for the command line, for tests, or named by a secret. */
  private static boolean isOurs(String variable, Map<String, Value> values) {
    return List.of("MAILROOM_CONFIG", "MAILROOM_URL", "MAILROOM_API_KEY", "MAILROOM_JAVA_OPTIONS")
            .contains(variable)
        || variable.startsWith("MAILROOM_TEST_")
        || values.values().stream().anyMatch(v -> v.texts().contains("env:" + variable));
  }

  private static String didYouMean(String variable) {
    List<String> all =
        KnownSettings.ALL.stream()
            .map(setting -> EnvironmentNames.variable(setting.name()))
            .toList();
    return Suggestions.nearest(variable, all).map(v -> ". Did you mean " + v + "?").orElse(".");
  }

  private void takeFlags(Map<String, Value> values, Problems problems) {
    flags.forEach(
        (name, text) -> {
          if (KnownSettings.find(name).isPresent()) {
            values.put(name, Value.of(text, "flag " + name));
          } else {
            problems.add(unknown("flag", name));
          }
        });
  }

  private static String unknown(String origin, String name) {
    return origin
        + ": '"
        + name
        + "' is no setting."
        + Suggestions.setting(name).map(near -> " Did you mean '" + near + "'?").orElse("")
        + " All settings: mailroom config.";
  }
}

package dev.mailroom.server.config;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** What was given for all settings, checked against their types. */
public final class Configuration {
  private final @Nullable Path file;
  private final Map<String, Value> values;
  private final Path directory;
  private final Map<String, String> environment;
  private final List<String> warnings;

  Configuration(
      @Nullable Path file,
      Map<String, Value> values,
      Path directory,
      Map<String, String> environment,
      List<String> warnings) {
    this.file = file;
    this.values = values;
    this.directory = directory;
    this.environment = environment;
    this.warnings = List.copyOf(warnings);
  }

  /** The file that was read, or null if there was none. */
  public @Nullable Path file() {
    return file;
  }

  /** Where relative paths begin. */
  public Path directory() {
    return directory;
  }

  /** What is odd but does no harm. */
  public List<String> warnings() {
    return warnings;
  }

  /** Names of environment variables that hold secrets, so that no program inherits them. */
  public Set<String> secretVariables() {
    return values.entrySet().stream()
        .filter(given -> !given.getValue().texts().isEmpty())
        .flatMap(given -> list(given.getKey()).stream())
        .filter(text -> text.startsWith("env:"))
        .map(text -> text.substring("env:".length()))
        .collect(Collectors.toSet());
  }

  /** What was given, for people: name, value and origin; secrets only by where they are. */
  public Map<String, String> shown() {
    Map<String, String> shown = new LinkedHashMap<>();
    values.forEach(
        (name, value) -> {
          if (!value.texts().isEmpty()) {
            boolean secret = setting(name).type().isSecret();
            String texts =
                list(name).stream()
                    .map(text -> secret && !SecretText.isReference(text) ? "(secret)" : text)
                    .collect(Collectors.joining(", "));
            shown.put(name, texts + "  # " + value.origin());
          }
        });
    return shown;
  }

  /** The real names that stand in the place of the part behind the prefix. */
  public Set<String> names(String prefix) {
    Set<String> names = new TreeSet<>();
    String start = prefix + ".";
    for (String name : values.keySet()) {
      if (name.startsWith(start)) {
        names.add(name.substring(start.length()).split("\\.", 2)[0]);
      }
    }
    return names;
  }

  /** Where it was given, for errors. */
  String origin(String name) {
    Value value = values.get(name);
    return value == null ? "default" : value.origin();
  }

  @Nullable String optional(String name) {
    List<String> texts = list(name);
    return texts.isEmpty() ? null : texts.get(0);
  }

  String text(String name) {
    String text = optional(name);
    if (text == null) {
      throw new IllegalStateException("The setting '" + name + "' has no value.");
    }
    return text;
  }

  int number(String name) {
    return Integer.parseInt(text(name).strip());
  }

  @Nullable Integer optionalNumber(String name) {
    return optional(name) == null ? null : Integer.valueOf(number(name));
  }

  boolean flag(String name) {
    return text(name).equals("true");
  }

  int size(String name) {
    return Units.size(text(name));
  }

  Duration duration(String name) {
    return Units.duration(text(name));
  }

  @Nullable Duration optionalDuration(String name) {
    String text = optional(name);
    return text == null ? null : Units.duration(text);
  }

  @Nullable Instant time(String name) {
    String text = optional(name);
    return text == null ? null : Instant.parse(text);
  }

  @Nullable SecretText secret(String name) {
    String reference = optional(name);
    return reference == null ? null : SecretText.find(reference, directory, environment);
  }

  List<SecretText> secrets(String name) {
    return list(name).stream()
        .map(reference -> SecretText.find(reference, directory, environment))
        .toList();
  }

  List<String> list(String name) {
    Setting setting = setting(name);
    Value value = values.get(name);
    if (value == null || value.texts().isEmpty()) {
      return setting.fallback() == null ? List.of() : List.of(setting.fallback());
    }
    List<String> texts = new ArrayList<>();
    for (String text : value.texts()) {
      boolean together = setting.type().isList() && !value.isList();
      for (String one : together ? text.split(",", -1) : new String[] {text}) {
        if (!one.isBlank()) {
          texts.add(one.strip());
        }
      }
    }
    return texts;
  }

  /** Reads every value as its type. */
  void check(Problems problems) {
    values.forEach(
        (name, value) -> {
          if (!value.texts().isEmpty()) {
            check(name, value, problems);
          }
        });
  }

  private void check(String name, Value value, Problems problems) {
    Setting setting = setting(name);
    if (!setting.type().isList() && value.texts().size() > 1) {
      problems.add(value.origin() + ": '" + name + "' takes one value, not a list.");
      return;
    }
    if (!setting.choices().isEmpty() && !setting.choices().contains(value.texts().get(0))) {
      problems.add(
          "%s: '%s' is %s: it must be one of %s."
              .formatted(
                  value.origin(),
                  name,
                  value.texts().get(0),
                  String.join(", ", setting.choices())));
      return;
    }
    try {
      parse(name, setting.type());
    } catch (RuntimeException e) {
      String shown = setting.type().isSecret() ? "" : " is " + value.texts().get(0);
      problems.add(
          value.origin() + ": '" + name + "'" + shown + ": " + Units.rule(setting.type(), e));
    }
  }

  private void parse(String name, SettingType type) {
    switch (type) {
      case NUMBER -> number(name);
      case SIZE -> size(name);
      case DURATION -> duration(name);
      case TIME -> time(name);
      case SECRET -> secret(name);
      case SECRETS -> secrets(name);
      case FLAG -> Units.flag(text(name));
      case TEXT, LIST -> list(name);
    }
  }

  private static Setting setting(String name) {
    return Settings.find(name)
        .orElseThrow(() -> new IllegalStateException("There is no setting '" + name + "'."));
  }
}

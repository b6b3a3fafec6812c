package dev.mailroom.server.config;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What was given for all settings, checked against their types. */
public final class Configuration {
  private final @Nullable Path file;
  private final Map<String, Value> values;
  private final Path directory;
  private final Map<String, String> environment;
  private final List<String> warnings;
  private final List<String> problems;

  /** The origins of values of the wrong type; these are reported already and ignored later. */
  private final Map<String, String> refused = new TreeMap<>();

  Configuration(
      @Nullable Path file,
      Map<String, Value> values,
      Path directory,
      Map<String, String> environment,
      List<String> warnings,
      Problems problems) {
    this.file = file;
    this.values = values;
    this.directory = directory;
    this.environment = environment;
    this.warnings = List.copyOf(warnings);
    check(problems);
    this.problems = problems.all();
  }

  /** What is wrong with single settings; {@link OptionsReader} raises it with what it finds. */
  List<String> problems() {
    return problems;
  }

  /**
   * Refuses a configuration of which a single setting is wrong.
   *
   * @throws ConfigurationException naming all of them
   */
  public void requireValid() {
    if (!problems.isEmpty()) {
      throw new ConfigurationException(problems);
    }
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

  /** What was given, in the order of names; secrets only by where they are. */
  public List<ShownValue> shown() {
    List<ShownValue> shown = new ArrayList<>();
    values.forEach(
        (name, value) -> {
          if (!value.texts().isEmpty()) {
            SettingType type = setting(name).type();
            shown.add(new ShownValue(name, shown(name, type), type.isList(), value.origin()));
          }
        });
    return shown;
  }

  private List<String> shown(String name, SettingType type) {
    return type.isSecret()
        ? list(name).stream()
            .map(text -> SecretText.isReference(text) ? text : Redaction.HIDDEN)
            .toList()
        : Redaction.ofAll(list(name));
  }

  /** The actual names for the placeholder after the prefix. */
  public Set<String> names(String prefix) {
    Set<String> names = new TreeSet<>();
    String start = prefix + ".";
    Stream.concat(values.keySet().stream(), refused.keySet().stream())
        .filter(name -> name.startsWith(start))
        .forEach(name -> names.add(name.substring(start.length()).split("\\.", 2)[0]));
    return names;
  }

  /** Where a setting, or the first setting below that name, was given, for errors. */
  String origin(String name) {
    Map<String, String> origins = new TreeMap<>(refused);
    values.forEach((each, value) -> origins.put(each, value.origin()));
    return origins.entrySet().stream()
        .filter(each -> each.getKey().equals(name) || each.getKey().startsWith(name + "."))
        .map(Map.Entry::getValue)
        .findFirst()
        .orElse("default");
  }

  /** Whether a value of that name, or below it, was refused already. */
  boolean wasRefused(String name) {
    return refused.keySet().stream()
        .anyMatch(each -> each.equals(name) || each.startsWith(name + "."));
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
      boolean commaSeparated = setting.type().isList() && !value.isList();
      for (String one : commaSeparated ? text.split(",", -1) : new String[] {text}) {
        if (!one.isBlank()) {
          texts.add(one.strip());
        }
      }
    }
    return texts;
  }

  /** Parses every value by its type and drops invalid ones. */
  private void check(Problems found) {
    values.forEach(
        (name, value) -> {
          String problem = problem(name, value);
          if (problem != null) {
            found.add(value.origin() + ": '" + name + "'" + problem);
            refused.put(name, value.origin());
          }
        });
    values.keySet().removeAll(refused.keySet());
  }

  private @Nullable String problem(String name, Value value) {
    if (value.texts().isEmpty()) {
      return null; // a name without a value may be that of a group of settings
    }
    Setting setting = setting(name);
    String text = value.texts().get(0);
    if (!setting.type().isList() && value.texts().size() > 1) {
      return " takes one value, not a list.";
    }
    if (!setting.choices().isEmpty() && !setting.choices().contains(text)) {
      return " is %s: it must be one of %s."
          .formatted(Redaction.of(text), String.join(", ", setting.choices()));
    }
    try {
      parse(name, setting.type());
      return null;
    } catch (RuntimeException e) {
      String shown = setting.type().isSecret() ? "" : " is " + Redaction.of(text);
      return shown + ": " + Units.rule(setting.type(), e);
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
    return KnownSettings.find(name)
        .orElseThrow(() -> new IllegalStateException("There is no setting '" + name + "'."));
  }
}

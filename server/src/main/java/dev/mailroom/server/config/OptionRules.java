package dev.mailroom.server.config;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Rules for settings of many kinds; a violation is reported with the setting's origin. */
final class OptionRules {
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9_-]{0,99}");

  private final Configuration configuration;
  private final Problems problems;

  OptionRules(Configuration configuration, Problems problems) {
    this.configuration = configuration;
    this.problems = problems;
  }

  /** Reports a problem of a setting. */
  void refuse(String name, String rule) {
    problems.add(at(name) + rule);
  }

  /** An unresolved secret is reported already and not reported as missing again. */
  void report(String setting, String problem) {
    boolean aboutSecrets = problem.startsWith("secret");
    if (!aboutSecrets || !configuration.wasRefused(setting)) {
      problems.add(at(setting) + problem);
    }
  }

  void require(boolean holds, String name, String rule) {
    if (!holds && !configuration.wasRefused(name)) {
      String origin = configuration.origin(parent(name + "."));
      problems.add(origin + ": " + name + " is missing: " + rule);
    }
  }

  /** What the setting stands in: {@code sources.github} for {@code sources.github.secret.}. */
  private static String parent(String name) {
    String[] parts = name.split("\\.");
    return String.join(".", List.of(parts).subList(0, Math.min(2, parts.length)));
  }

  void requireTarget(String setting, String target, Set<String> targets) {
    if (!targets.contains(target)) {
      problems.add(
          at(setting)
              + "there is no target '"
              + target
              + "'; there are "
              + targets
              + "."
              + Suggestions.nearest(target, List.copyOf(targets))
                  .map(near -> " Did you mean '" + near + "'?")
                  .orElse(""));
    }
  }

  Duration positive(String name) {
    return positive(name, configuration.duration(name));
  }

  @Nullable Duration positiveOrNone(String name) {
    Duration value = configuration.optionalDuration(name);
    return value == null ? null : positive(name, value);
  }

  private Duration positive(String name, Duration value) {
    if (value.isZero()) {
      problems.add(at(name) + "it must be longer than zero.");
    }
    return value;
  }

  int positive(String name, int value) {
    if (value < 1) {
      problems.add(at(name) + "it must be at least 1, not " + value + ".");
    }
    return value;
  }

  @Nullable Integer optionalPositive(String name) {
    Integer value = configuration.optionalNumber(name);
    return value == null ? null : Integer.valueOf(positive(name, value));
  }

  Set<String> names(String prefix) {
    Set<String> names = configuration.names(prefix);
    for (String name : names) {
      if (!NAME.matcher(name).matches()) {
        problems.add(
            at(prefix + "." + name) + "a name is made of letters, digits, dashes and underscores.");
      }
    }
    return names;
  }

  private String at(String name) {
    return configuration.origin(name) + ": '" + name + "': ";
  }
}

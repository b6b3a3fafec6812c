package dev.mailroom.server.config;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Finds the settings behind environment variables: {@code MAILROOM_LISTEN_PORT} is {@code
 * listen.port}, and {@code MAILROOM_SOURCES_GITHUB_SECRET} is {@code sources.github.secret}. Names
 * that the file knows are recognised, whatever they are made of; others are taken in lower case,
 * with {@code -} for {@code _}.
 */
final class EnvironmentNames {
  static final String PREFIX = "MAILROOM_";

  private final List<Candidate> candidates;
  private final Collection<String> known;

  private record Candidate(Setting setting, Pattern pattern) {}

  EnvironmentNames(Collection<String> known) {
    this.known = known;
    this.candidates =
        KnownSettings.ALL.stream()
            .sorted(Comparator.comparingInt((Setting setting) -> setting.parts().size()).reversed())
            .map(setting -> new Candidate(setting, pattern(setting)))
            .toList();
  }

  /** The name of the variable that a setting can be given by. */
  static String variable(String setting) {
    return PREFIX + upper(setting);
  }

  Optional<String> setting(String variable) {
    String rest = variable.substring(PREFIX.length());
    for (Candidate candidate : candidates) {
      Matcher matcher = candidate.pattern().matcher(rest);
      if (matcher.matches()) {
        return Optional.of(name(candidate.setting(), matcher));
      }
    }
    return Optional.empty();
  }

  private String name(Setting setting, Matcher matcher) {
    List<String> parts = new ArrayList<>();
    int group = 1;
    for (String part : setting.parts()) {
      if (Setting.isPlaceholder(part)) {
        parts.add(real(parts, matcher.group(group++)));
      } else {
        parts.add(part);
      }
    }
    return String.join(".", parts);
  }

  /** The name that the file uses for it, if it does. */
  private String real(List<String> before, String shouted) {
    String prefix = String.join(".", before) + ".";
    for (String name : known) {
      if (name.startsWith(prefix)) {
        String part = name.substring(prefix.length()).split("\\.", 2)[0];
        if (upper(part).equals(shouted)) {
          return part;
        }
      }
    }
    return shouted.toLowerCase(Locale.ROOT).replace('_', '-');
  }

  private static Pattern pattern(Setting setting) {
    List<String> parts = new ArrayList<>();
    for (String part : setting.parts()) {
      parts.add(Setting.isPlaceholder(part) ? "(.+)" : upper(part));
    }
    return Pattern.compile(String.join("_", parts));
  }

  private static String upper(String name) {
    return name.toUpperCase(Locale.ROOT).replaceAll("[^A-Z0-9]", "_");
  }
}

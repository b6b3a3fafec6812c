package dev.mailroom.server.config;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One row of the table of settings.
 *
 * @param name its parts divided by dots; a part such as {@code <source>} stands for any name
 * @param type what its value looks like
 * @param choices the only values that are allowed; empty if any of the type is
 * @param fallback the value if none is given, or null if there is none then
 * @param meaning what it does, in one sentence
 */
public record Setting(
    String name,
    SettingType type,
    List<String> choices,
    @Nullable String fallback,
    String meaning) {

  static Setting row(String name, SettingType type, @Nullable String fallback, String meaning) {
    return new Setting(name, type, List.of(), fallback, meaning);
  }

  static Setting choice(String name, List<String> choices, String fallback, String meaning) {
    return new Setting(name, SettingType.TEXT, choices, fallback, meaning);
  }

  List<String> parts() {
    return List.of(name.split("\\."));
  }

  static boolean isPlaceholder(String part) {
    return part.startsWith("<");
  }

  /** Whether a name with actual names for the placeholders is this setting's. */
  boolean matches(String given) {
    String[] others = given.split("\\.", -1);
    List<String> own = parts();
    if (others.length != own.size()) {
      return false;
    }
    for (int i = 0; i < others.length; i++) {
      if (!isPlaceholder(own.get(i)) && !own.get(i).equals(others[i])) {
        return false;
      }
    }
    return true;
  }

  /** Its type, or what can be chosen, for people. */
  public String shownType() {
    return choices.isEmpty() ? type.toString() : String.join(", ", choices);
  }
}

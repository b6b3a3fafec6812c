package dev.mailroom.server.config;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** Suggests names for mistyped ones. */
public final class Suggestions {
  private Suggestions() {}

  /** The setting nearest to a mistyped name, with the given names for its placeholders. */
  static Optional<String> setting(String given) {
    String[] parts = given.split("\\.", -1);
    List<String> candidates =
        KnownSettings.ALL.stream().map(setting -> filled(setting, parts)).distinct().toList();
    return nearest(given, candidates);
  }

  /** The candidate that is nearest to the text, if it is near at all. */
  public static Optional<String> nearest(String given, List<String> candidates) {
    return candidates.stream()
        .min(Comparator.comparingInt(candidate -> distance(given, candidate)))
        .filter(best -> distance(given, best) <= Math.max(2, given.length() / 3));
  }

  private static String filled(Setting setting, String[] parts) {
    StringBuilder name = new StringBuilder();
    List<String> own = setting.parts();
    for (int i = 0; i < own.size(); i++) {
      boolean given = Setting.isPlaceholder(own.get(i)) && i < parts.length;
      name.append(i == 0 ? "" : ".").append(given ? parts[i] : own.get(i));
    }
    return name.toString();
  }

  /** How many letters have to be changed, added or removed (Levenshtein). */
  private static int distance(String one, String other) {
    int[] before = new int[other.length() + 1];
    for (int j = 0; j <= other.length(); j++) {
      before[j] = j;
    }
    for (int i = 1; i <= one.length(); i++) {
      int[] now = new int[other.length() + 1];
      now[0] = i;
      for (int j = 1; j <= other.length(); j++) {
        int replaced = before[j - 1] + (one.charAt(i - 1) == other.charAt(j - 1) ? 0 : 1);
        now[j] = Math.min(replaced, 1 + Math.min(before[j], now[j - 1]));
      }
      before = now;
    }
    return before[other.length()];
  }
}

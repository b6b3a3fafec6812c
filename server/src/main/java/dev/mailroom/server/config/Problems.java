package dev.mailroom.server.config;

import java.util.ArrayList;
import java.util.List;

/** Collects the problems of a configuration, so that all of them are reported at once. */
final class Problems {
  private final List<String> found = new ArrayList<>();

  void add(String problem) {
    found.add(problem);
  }

  void addAll(List<String> problems) {
    found.addAll(problems);
  }

  List<String> all() {
    return List.copyOf(found);
  }

  boolean isEmpty() {
    return found.isEmpty();
  }

  void raise() {
    if (!found.isEmpty()) {
      throw new ConfigurationException(found);
    }
  }
}

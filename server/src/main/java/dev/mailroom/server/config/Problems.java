package dev.mailroom.server.config;

import java.util.ArrayList;
import java.util.List;

/** Gathers what is wrong with a configuration, so that all of it is told at once. */
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

package dev.mailroom.server.config;

import java.util.List;

/**
 * A value that was given, as it may be shown: without secrets.
 *
 * @param name the setting's full name
 * @param texts the value, or its elements
 * @param isList whether the setting is a list
 * @param origin where it was given: the line of the file, the variable or the flag
 */
public record ShownValue(String name, List<String> texts, boolean isList, String origin) {
  /** Copies the texts. */
  public ShownValue {
    texts = List.copyOf(texts);
  }

  /** The value on one line. */
  public String text() {
    return String.join(", ", texts);
  }
}

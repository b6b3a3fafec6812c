package dev.mailroom.server.config;

import java.util.List;

/**
 * What a setting was given.
 *
 * @param texts one text, or the elements of a list
 * @param isList whether it was given as a list, so that a comma in its only element is no divider
 * @param origin where it was given, for people
 */
record Value(List<String> texts, boolean isList, String origin) {
  Value {
    texts = List.copyOf(texts);
  }

  /** One text. */
  static Value of(String text, String origin) {
    return new Value(List.of(text), false, origin);
  }
}

package dev.mailroom.server.config;

import java.util.List;

/**
 * What a setting was given.
 *
 * @param texts one text, or the elements of a list
 * @param origin where it was given, for people
 */
record Value(List<String> texts, String origin) {
  Value {
    texts = List.copyOf(texts);
  }
}

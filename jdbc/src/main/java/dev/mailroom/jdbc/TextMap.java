package dev.mailroom.jdbc;

import dev.mailroom.errors.StoreException;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Texts by name, as one flat JSON object: what people see when they look into the table, and what
 * the database's own JSON functions can read. Only what {@link #encode} writes is read back.
 */
final class TextMap {
  private final String text;
  private int at;

  private TextMap(String text) {
    this.text = text;
  }

  /** The object, its names sorted; null for nothing. */
  static @Nullable String encode(Map<String, String> values) {
    if (values.isEmpty()) {
      return null;
    }
    StringBuilder json = new StringBuilder();
    new TreeMap<>(values)
        .forEach(
            (name, value) -> {
              json.append(json.isEmpty() ? '{' : ',');
              quote(json, name);
              json.append(':');
              quote(json, value);
            });
    return json.append('}').toString();
  }

  /** What was encoded. */
  static Map<String, String> decode(@Nullable String json) {
    return json == null ? Map.of() : new TextMap(json).object();
  }

  private static void quote(StringBuilder json, String value) {
    json.append('"');
    for (int i = 0; i < value.length(); i++) {
      char c = value.charAt(i);
      if (c == '"' || c == '\\') {
        json.append('\\').append(c);
      } else if (c < ' ' || (Character.isSurrogate(c) && !isPaired(value, i))) {
        json.append(String.format("\\u%04x", (int) c));
      } else {
        json.append(c);
      }
    }
    json.append('"');
  }

  /** Half a pair cannot be stored as text. */
  private static boolean isPaired(String value, int i) {
    return Character.isHighSurrogate(value.charAt(i))
        ? i + 1 < value.length() && Character.isLowSurrogate(value.charAt(i + 1))
        : i > 0 && Character.isHighSurrogate(value.charAt(i - 1));
  }

  private Map<String, String> object() {
    Map<String, String> values = new HashMap<>();
    expect('{');
    while (next() == '"') {
      String name = string();
      expect(':');
      values.put(name, string());
      if (next() == ',') {
        at++;
      }
    }
    expect('}');
    return values;
  }

  private String string() {
    expect('"');
    int end = at;
    while (next(end) != '"' && next(end) != '\\') {
      end++;
    }
    if (next(end) == '"') { // nearly always: nothing was escaped
      String plain = text.substring(at, end);
      at = end + 1;
      return plain;
    }
    StringBuilder value = new StringBuilder();
    for (char c = next(at++); c != '"'; c = next(at++)) {
      value.append(c == '\\' ? escaped() : c);
    }
    return value.toString();
  }

  private char escaped() {
    char c = next(at++);
    if (c != 'u') {
      return c;
    }
    at += 4;
    next(at);
    return (char) Integer.parseInt(text, at - 4, at, 16);
  }

  private void expect(char wanted) {
    if (next() != wanted) {
      throw broken();
    }
    at++;
  }

  private char next() {
    return next(at);
  }

  private char next(int index) {
    if (index >= text.length()) {
      throw broken();
    }
    return text.charAt(index);
  }

  private StoreException broken() {
    return new StoreException(
        "A stored text by name is not as Mailroom wrote it, at character " + at + ".");
  }
}

package dev.mailroom.processes;

import dev.mailroom.errors.InvalidMessageException;
import dev.mailroom.errors.MailroomException;
import dev.mailroom.messages.Limits;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Typed headers as the text that stores keep: the name of the type, a colon, the value. The set of
 * types is closed: text, long, double, boolean and instant.
 */
final class TypedHeaders {
  /** The prefix of names that are reserved for Mailroom. */
  static final String RESERVED = "mailroom-";

  /** The header that holds the destination. */
  static final String DESTINATION = RESERVED + "destination";

  /** One header is the destination. */
  private static final int MAX_HEADERS = Limits.HEADERS - 1;

  private TypedHeaders() {}

  /** Adds a header to others, if it can be stored; the result is a copy. */
  static Map<String, Object> add(Map<String, Object> headers, String name, Object value) {
    Limits.requireName("header name", name);
    if (name.startsWith(RESERVED)) {
      throw new InvalidMessageException(
          "The header '"
              + name
              + "' begins with '"
              + RESERVED
              + "', which is reserved for Mailroom.");
    }
    Limits.headers(Map.of(name, write(value)));
    Map<String, Object> more = new LinkedHashMap<>(headers);
    more.put(name, value);
    if (more.size() > MAX_HEADERS) {
      throw new InvalidMessageException(
          "The timeout has " + more.size() + " headers: at most " + MAX_HEADERS + " are stored.");
    }
    return Collections.unmodifiableMap(more);
  }

  static String write(Object value) {
    if (value instanceof String text) {
      return "text:" + text;
    }
    if (value instanceof Long number) {
      return "long:" + number;
    }
    if (value instanceof Double number) {
      return "double:" + number;
    }
    if (value instanceof Boolean flag) {
      return "boolean:" + flag;
    }
    if (value instanceof Instant time) {
      return "instant:" + time;
    }
    throw new IllegalArgumentException("There is no text for a header of " + value.getClass());
  }

  /** The typed values of stored headers, without the reserved ones. */
  static Map<String, Object> read(Map<String, String> stored) {
    Map<String, Object> headers = new LinkedHashMap<>();
    stored.forEach(
        (name, text) -> {
          if (!name.startsWith(RESERVED)) {
            headers.put(name, read(name, text));
          }
        });
    return Collections.unmodifiableMap(headers);
  }

  private static Object read(String name, String stored) {
    int colon = stored.indexOf(':');
    String type = colon < 0 ? "" : stored.substring(0, colon);
    String text = stored.substring(colon + 1);
    try {
      return switch (type) {
        case "text" -> text;
        case "long" -> Long.valueOf(text);
        case "double" -> Double.valueOf(text);
        case "boolean" -> Boolean.valueOf(text);
        case "instant" -> Instant.parse(text);
        default -> throw unreadable(name, stored, null);
      };
    } catch (NumberFormatException | DateTimeParseException error) {
      throw unreadable(name, stored, error);
    }
  }

  private static MailroomException unreadable(
      String name, String stored, @Nullable Exception cause) {
    return new MailroomException(
        "The header '"
            + name
            + "' of a timeout is '"
            + Limits.cut(stored, 40)
            + "', which is no typed value: it was not written as a timeout.",
        cause);
  }
}

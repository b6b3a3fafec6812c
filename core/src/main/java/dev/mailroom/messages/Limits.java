package dev.mailroom.messages;

import dev.mailroom.errors.InvalidMessageException;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The limits that hold everywhere, and the checks that go with them. */
public final class Limits {
  /** The longest key, name or id, in characters: {@value}. */
  public static final int KEY_LENGTH = 256;

  /** The longest W3C trace state, in characters: {@value}. */
  public static final int TRACE_STATE_LENGTH = 512;

  /** The most headers one message can have: {@value}. */
  public static final int HEADERS = 64;

  /** The longest value of one header, in characters: {@value}. */
  public static final int HEADER_LENGTH = 4_096;

  /** The longest error text kept, in characters: {@value}. */
  public static final int ERROR_LENGTH = 4_096;

  /** The most messages one append can carry: {@value}. */
  public static final int APPEND_BATCH = 10_000;

  /** The most messages one lease, settle, redrive, discard or purge call can touch: {@value}. */
  public static final int BATCH = 10_000;

  /** The most checkpoints one message can have: {@value}. */
  public static final int CHECKPOINTS = 100;

  /** The largest payload unless an option says otherwise, in bytes: {@value}. */
  public static final int DEFAULT_PAYLOAD_BYTES = 1 << 20;

  private Limits() {}

  /** A key that may be absent: blank means none, over-long is an error. */
  public static @Nullable String key(String what, @Nullable String value) {
    return text(what, value, KEY_LENGTH);
  }

  /** A text that may be absent: blank means none, longer than the maximum is an error. */
  public static @Nullable String text(String what, @Nullable String value, int maximum) {
    if (value == null || value.isBlank()) {
      return null;
    }
    requireLength(what, value, maximum);
    return value;
  }

  /** A name that must be there: neither blank nor over-long. */
  public static String requireName(String what, @Nullable String value) {
    if (value == null || value.isBlank()) {
      throw new InvalidMessageException("The " + what + " is blank: give it a name.");
    }
    requireLength(what, value, KEY_LENGTH);
    return value;
  }

  /** At most {@link #HEADERS} headers with names and values within their limits; a copy. */
  public static Map<String, String> headers(Map<String, String> headers) {
    if (headers.isEmpty()) {
      return Map.of();
    }
    if (headers.size() > HEADERS) {
      throw new InvalidMessageException(
          "The message has " + headers.size() + " headers: at most " + HEADERS + " are stored.");
    }
    headers.forEach(
        (name, value) -> {
          requireName("header name", name);
          requireLength("header '" + name + "'", value, HEADER_LENGTH);
        });
    return Map.copyOf(headers);
  }

  /** A count for a store's verb: at least 1, at most the maximum. */
  public static int requireCount(String what, int value, int maximum) {
    if (value < 1 || value > maximum) {
      throw new IllegalArgumentException(
          "The " + what + " is " + value + ": it must be from 1 to " + maximum + ".");
    }
    return value;
  }

  /** The text, or its beginning with an ellipsis; never half of a surrogate pair. */
  public static String cut(String text, int maximum) {
    if (text.length() <= maximum) {
      return text;
    }
    int end = maximum - 1;
    if (end > 0 && Character.isHighSurrogate(text.charAt(end - 1))) {
      end--;
    }
    return text.substring(0, end) + "…";
  }

  private static void requireLength(String what, String value, int maximum) {
    if (value.indexOf('\0') >= 0) {
      throw new InvalidMessageException(
          "The " + what + " contains the character NUL, which not every store can keep.");
    }
    if (value.length() > maximum) {
      throw new InvalidMessageException(
          "The "
              + what
              + " '"
              + cut(value, 40)
              + "' has "
              + value.length()
              + " characters: at most "
              + maximum
              + " are allowed.");
    }
  }
}

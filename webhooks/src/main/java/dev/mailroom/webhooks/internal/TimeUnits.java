package dev.mailroom.webhooks.internal;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import org.jspecify.annotations.Nullable;

/** How times are written. */
public enum TimeUnits {
  SECONDS {
    @Override
    @Nullable Instant read(String text) {
      return isNumber(text) ? Instant.ofEpochSecond(Long.parseLong(text)) : null;
    }

    @Override
    String write(Instant time) {
      return Long.toString(time.getEpochSecond());
    }
  },

  MILLISECONDS {
    @Override
    @Nullable Instant read(String text) {
      return isNumber(text) ? Instant.ofEpochMilli(Long.parseLong(text)) : null;
    }

    @Override
    String write(Instant time) {
      return Long.toString(time.toEpochMilli());
    }
  },

  /** With a date, a time and an offset, as in RFC 3339. */
  RFC_3339 {
    @Override
    @Nullable Instant read(String text) {
      if (text.length() > LONGEST_DATE) {
        return null;
      }
      try {
        return OffsetDateTime.parse(text).toInstant();
      } catch (DateTimeException e) {
        return null;
      }
    }

    @Override
    String write(Instant time) {
      return time.toString();
    }
  };

  private static final int LONGEST_NUMBER = 15;
  private static final int LONGEST_DATE = 40;
  private static final int MILLISECONDS_FROM = 12;

  /** The time, or null if the text is none of this kind. */
  abstract @Nullable Instant read(String text);

  abstract String write(Instant time);

  /** Reads a time of an unknown unit; good enough for display. */
  static @Nullable Instant guess(String text) {
    if (isNumber(text)) {
      return (text.length() < MILLISECONDS_FROM ? SECONDS : MILLISECONDS).read(text);
    }
    return RFC_3339.read(text);
  }

  /** Plain digits: no sign, no other script's digits, nothing that would overflow. */
  private static boolean isNumber(String text) {
    if (text.isEmpty() || text.length() > LONGEST_NUMBER) {
      return false;
    }
    for (int i = 0; i < text.length(); i++) {
      if (text.charAt(i) < '0' || text.charAt(i) > '9') {
        return false;
      }
    }
    return true;
  }
}

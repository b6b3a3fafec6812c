package dev.mailroom.server.web;

import java.util.HexFormat;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/** Ids by which a request is found again in logs, here and elsewhere. */
final class RequestIds {
  static final String HEADER = "X-Request-Id";
  private static final int LONGEST = 100;

  private RequestIds() {}

  /** The one that came with the request, if it can stand in a log; else a new one. */
  static String of(@Nullable String given) {
    if (given != null && isSane(given)) {
      return given;
    }
    ThreadLocalRandom random = ThreadLocalRandom.current();
    HexFormat hex = HexFormat.of();
    return hex.toHexDigits(random.nextLong()) + hex.toHexDigits(random.nextLong());
  }

  private static boolean isSane(String id) {
    if (id.isEmpty() || id.length() > LONGEST) {
      return false;
    }
    for (int i = 0; i < id.length(); i++) {
      char c = id.charAt(i);
      boolean sane =
          (c >= 'a' && c <= 'z')
              || (c >= 'A' && c <= 'Z')
              || (c >= '0' && c <= '9')
              || c == '-'
              || c == '_'
              || c == '.';
      if (!sane) {
        return false;
      }
    }
    return true;
  }
}

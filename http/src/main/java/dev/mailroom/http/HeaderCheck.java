package dev.mailroom.http;

import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/** What may stand in the headers of a request. */
final class HeaderCheck {
  private static final Pattern NAME = Pattern.compile("[!#$%&'*+.^_`|~0-9A-Za-z-]+");
  private static final Pattern VALUE = Pattern.compile("[\\x20-\\x7e]*");

  /** Headers that the connection or the signature sets. */
  private static final Set<String> TAKEN =
      Set.of(
          "connection",
          "content-length",
          "expect",
          "host",
          "keep-alive",
          "te",
          "trailer",
          "transfer-encoding",
          "upgrade",
          HttpDispatcher.ID_HEADER,
          HttpDispatcher.TIMESTAMP_HEADER,
          HttpDispatcher.SIGNATURE_HEADER);

  private HeaderCheck() {}

  /** The text with everything but printable ASCII percent-encoded, and the percent sign too. */
  static String encode(String text) {
    StringBuilder encoded = new StringBuilder(text.length());
    for (byte one : text.getBytes(StandardCharsets.UTF_8)) {
      if (one >= ' ' && one < 0x7f && one != '%') {
        encoded.append((char) one);
      } else {
        encoded.append("%%%02X".formatted(one & 0xff));
      }
    }
    return encoded.toString();
  }

  static boolean isPrintable(String text) {
    return VALUE.matcher(text).matches();
  }

  /**
   * Refuses headers that would not arrive as they are, or as something else.
   *
   * @throws IllegalArgumentException naming the first such header
   */
  static void require(Map<String, String> headers) {
    headers.forEach(
        (name, value) -> {
          if (!NAME.matcher(name).matches()) {
            throw new IllegalArgumentException(
                "no header of HTTP can have the name '" + name + "'");
          }
          if (TAKEN.contains(name.toLowerCase(Locale.ROOT))) {
            throw new IllegalArgumentException(
                "the header '" + name + "' is set by the dispatcher itself");
          }
          if (!isPrintable(value)) {
            throw new IllegalArgumentException(
                "the value of the header '" + name + "' is not printable ASCII");
          }
        });
  }
}

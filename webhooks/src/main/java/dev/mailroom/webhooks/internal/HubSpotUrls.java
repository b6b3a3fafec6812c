package dev.mailroom.webhooks.internal;

import java.util.Locale;
import java.util.Map;

/** HubSpot signs URLs with some of their characters decoded. */
final class HubSpotUrls {
  private static final Map<String, Character> DECODED =
      Map.ofEntries(
          Map.entry("%3A", ':'),
          Map.entry("%2F", '/'),
          Map.entry("%3F", '?'),
          Map.entry("%40", '@'),
          Map.entry("%21", '!'),
          Map.entry("%24", '$'),
          Map.entry("%27", '\''),
          Map.entry("%28", '('),
          Map.entry("%29", ')'),
          Map.entry("%2A", '*'),
          Map.entry("%2C", ','),
          Map.entry("%3B", ';'));

  private HubSpotUrls() {}

  /** Decodes what HubSpot decodes, and leaves the rest. */
  static String decode(String url) {
    if (url.indexOf('%') < 0) {
      return url;
    }
    StringBuilder decoded = new StringBuilder(url.length());
    for (int i = 0; i < url.length(); i++) {
      Character plain =
          url.charAt(i) == '%' && i + 3 <= url.length()
              ? DECODED.get(url.substring(i, i + 3).toUpperCase(Locale.ROOT))
              : null;
      if (plain == null) {
        decoded.append(url.charAt(i));
      } else {
        decoded.append(plain.charValue());
        i += 2;
      }
    }
    return decoded.toString();
  }
}

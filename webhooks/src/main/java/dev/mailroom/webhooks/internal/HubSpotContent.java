package dev.mailroom.webhooks.internal;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;

/**
 * HubSpot signs the method, the URL, the body and the time; the URL with some of its characters
 * decoded. One that was signed as it is proves the same.
 */
final class HubSpotContent implements SignedContent {
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

  @Override
  public List<byte[][]> of(Signed signed) {
    String timestamp = signed.timestamp() == null ? "" : signed.timestamp();
    return Stream.of(decode(signed.url()), signed.url())
        .distinct()
        .map(
            url ->
                new byte[][] {
                  (signed.request().method() + url).getBytes(StandardCharsets.UTF_8),
                  signed.request().body(),
                  timestamp.getBytes(StandardCharsets.UTF_8)
                })
        .toList();
  }

  @Override
  public boolean coversUrl() {
    return true;
  }

  /** Decodes what HubSpot decodes, and leaves the rest. */
  private static String decode(String url) {
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

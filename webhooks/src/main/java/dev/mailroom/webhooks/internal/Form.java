package dev.mailroom.webhooks.internal;

import dev.mailroom.webhooks.WebhookRequest;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The fields of an HTML form or of a query, decoded. */
final class Form {
  private static final String MEDIA_TYPE = "application/x-www-form-urlencoded";

  private static final int MOST_FIELDS = 5_000;

  private final Map<String, List<String>> fields;

  private Form(Map<String, List<String>> fields) {
    this.fields = fields;
  }

  /** Whether the request says that its body is a form. */
  static boolean isSentBy(WebhookRequest request) {
    String type = request.headers().first("Content-Type");
    return type != null
        && type.regionMatches(true, 0, MEDIA_TYPE, 0, MEDIA_TYPE.length())
        && (type.length() == MEDIA_TYPE.length()
            || " ;\t".indexOf(type.charAt(MEDIA_TYPE.length())) >= 0);
  }

  /** The fields in the order in which they came; null if it cannot be decoded or has too many. */
  static @Nullable Form parse(String text) {
    Map<String, List<String>> fields = new LinkedHashMap<>();
    try {
      int from = 0;
      for (int count = 0; from < text.length(); count++) {
        if (count == MOST_FIELDS) {
          return null;
        }
        int end = text.indexOf('&', from);
        int to = end < 0 ? text.length() : end;
        int equals = text.indexOf('=', from);
        int nameEnd = equals < 0 || equals > to ? to : equals;
        String name = decode(text.substring(from, nameEnd));
        String value = decode(text.substring(Math.min(nameEnd + 1, to), to));
        fields.computeIfAbsent(name, key -> new ArrayList<>(1)).add(value);
        from = to + 1;
      }
    } catch (IllegalArgumentException e) {
      return null;
    }
    return new Form(fields);
  }

  static @Nullable Form parse(byte[] body) {
    return parse(new String(body, StandardCharsets.UTF_8));
  }

  private static String decode(String text) {
    return URLDecoder.decode(text, StandardCharsets.UTF_8);
  }

  /** The first value of a field of a form; null if there is none, or no form. */
  static @Nullable String first(@Nullable Form form, String name) {
    List<String> values = form == null ? null : form.fields.get(name);
    return values == null ? null : values.get(0);
  }

  Map<String, List<String>> fields() {
    return Collections.unmodifiableMap(fields);
  }
}

package dev.mailroom.webhooks.internal;

import java.nio.charset.StandardCharsets;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** The ways in which Twilio may have written a URL. */
final class TwilioUrls {
  private TwilioUrls() {}

  static Set<String> forms(String url) {
    Set<String> forms = new LinkedHashSet<>();
    forms.add(url);
    for (String variant : List.of(withPort(url), withoutPort(url))) {
      forms.add(variant);
      forms.add(withEncodedQuery(variant));
    }
    return forms;
  }

  private static String withPort(String url) {
    int end = authorityEnd(url);
    if (portStart(url, end) >= 0) {
      return url;
    }
    String port = url.regionMatches(true, 0, "https:", 0, 6) ? ":443" : ":80";
    return url.substring(0, end) + port + url.substring(end);
  }

  private static String withoutPort(String url) {
    int end = authorityEnd(url);
    int port = portStart(url, end);
    return port < 0 ? url : url.substring(0, port) + url.substring(end);
  }

  private static int authorityEnd(String url) {
    int from = url.indexOf("://") + 3;
    for (int i = from; i < url.length(); i++) {
      if (url.charAt(i) == '/' || url.charAt(i) == '?') {
        return i;
      }
    }
    return url.length();
  }

  /** Where the colon of the port is; an address of IPv6 has others before it. */
  private static int portStart(String url, int end) {
    int colon = url.lastIndexOf(':', end - 1);
    boolean digits = colon >= 0 && colon + 1 < end;
    for (int i = colon + 1; digits && i < end; i++) {
      digits = Character.isDigit(url.charAt(i));
    }
    return digits ? colon : -1;
  }

  /** The query decoded and encoded again, as older Twilio services do. */
  private static String withEncodedQuery(String url) {
    int mark = url.indexOf('?');
    Form query = mark < 0 ? null : Form.parse(url.substring(mark + 1));
    if (query == null) {
      return url;
    }
    StringBuilder encoded = new StringBuilder(url.substring(0, mark));
    char separator = '?';
    for (var field : query.fields().entrySet()) {
      for (String value : field.getValue()) {
        encoded.append(separator).append(encode(field.getKey())).append('=').append(encode(value));
        separator = '&';
      }
    }
    return encoded.toString();
  }

  private static String encode(String text) {
    StringBuilder encoded = new StringBuilder(text.length());
    for (byte one : text.getBytes(StandardCharsets.UTF_8)) {
      boolean plain =
          (one >= 'a' && one <= 'z')
              || (one >= 'A' && one <= 'Z')
              || (one >= '0' && one <= '9')
              || "-_.!~*'()".indexOf(one) >= 0;
      if (plain) {
        encoded.append((char) one);
      } else {
        encoded.append("%%%02X".formatted(one & 0xff));
      }
    }
    return encoded.toString();
  }
}

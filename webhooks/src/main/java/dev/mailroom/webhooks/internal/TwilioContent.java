package dev.mailroom.webhooks.internal;

import dev.mailroom.webhooks.spi.Verification.Reason;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Twilio signs the URL and, of a form, its fields in order of their names. Any other body is proven
 * by its digest in the query of the URL.
 *
 * <p>The digest is believed before the content type, which nothing proves: a request with a digest
 * could otherwise be sent again as an empty form. Nor may it be read as one. The digest comes last,
 * where Twilio puts it: URL and fields are signed without a divider, so anywhere else it could be a
 * text in a field.
 */
final class TwilioContent implements SignedContent {
  private static final String BODY_DIGEST = "bodySHA256";
  private static final Pattern AT_THE_END =
      Pattern.compile("(?:^|&)" + BODY_DIGEST + "=([0-9A-Fa-f]*)$");

  @Override
  public List<byte[][]> of(Signed signed) {
    String fields = fields(signed);
    return TwilioUrls.forms(signed.url()).stream()
        .map(url -> new byte[][] {(url + fields).getBytes(StandardCharsets.UTF_8)})
        .toList();
  }

  @Override
  public boolean coversUrl() {
    return true;
  }

  private static String fields(Signed signed) {
    byte[] body = signed.request().body();
    String digest = digest(signed.request().query());
    if (digest != null) {
      byte[] expected = Encoding.HEX.decode(digest);
      if (expected == null || !MessageDigest.isEqual(expected, Digests.sha256(body))) {
        throw new RefusedException(
            Reason.BAD_SIGNATURE, "The body is not the one whose digest is in the URL.");
      }
      if (Form.isSentBy(signed.request())) {
        throw new RefusedException(
            Reason.BAD_SIGNATURE, "The body is a form, which no digest in the URL proves.");
      }
      return "";
    }
    if (body.length > 0 && !Form.isSentBy(signed.request())) {
      throw new RefusedException(
          Reason.BAD_SIGNATURE,
          "The body is no form, and there is no " + BODY_DIGEST + " in the URL to prove it.");
    }
    Form form = Form.parse(body);
    if (form == null) {
      // No part of it would be signed, and a less strict parser might accept it.
      throw new RefusedException(Reason.MALFORMED_BODY, "The body is no form, though it says so.");
    }
    StringBuilder fields = new StringBuilder();
    Map<String, List<String>> sorted = new TreeMap<>(form.fields());
    sorted.forEach(
        (name, values) -> {
          Set<String> distinct = new TreeSet<>(values);
          distinct.forEach(value -> fields.append(name).append(value));
        });
    return fields.toString();
  }

  private static @Nullable String digest(@Nullable String query) {
    Matcher digest = query == null ? null : AT_THE_END.matcher(query);
    return digest != null && digest.find() ? digest.group(1) : null;
  }
}

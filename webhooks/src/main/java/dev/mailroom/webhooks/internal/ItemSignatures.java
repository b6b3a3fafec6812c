package dev.mailroom.webhooks.internal;

import dev.mailroom.webhooks.Secret;
import dev.mailroom.webhooks.Source;
import dev.mailroom.webhooks.WebhookRequest;
import dev.mailroom.webhooks.spi.Verification.Reason;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A signature in each item of the body, over some of its fields. Other fields of the item are not
 * verified. All items must be signed. A body with a duplicate name or a form content type is
 * refused, because another parser might read a value that was not verified.
 */
final class ItemSignatures implements SignatureCheck {
  private final Items items;
  private final String signaturePath;
  private final List<String> fields;
  private final JsonPaths paths;
  private final Function<String, VerifyingKey> keys;
  private final String unlessHeader;

  /**
   * A check.
   *
   * @param items where the items stand
   * @param signaturePath where an item's signature stands
   * @param fields the paths that are signed, joined by colons, nothing for what is missing
   * @param keys how secrets become keys
   * @param unlessHeader the header of a signature over the whole body, which is stronger
   */
  ItemSignatures(
      Items items,
      String signaturePath,
      List<String> fields,
      Function<String, VerifyingKey> keys,
      String unlessHeader) {
    this.items = items;
    this.signaturePath = signaturePath;
    this.fields = List.copyOf(fields);
    this.paths = JsonPaths.of(Stream.concat(fields.stream(), Stream.of(signaturePath)).toList());
    this.keys = keys;
    this.unlessHeader = unlessHeader;
  }

  @Override
  public boolean applies(WebhookRequest request) {
    return request.headers().first(unlessHeader) == null;
  }

  @Override
  public Function<String, VerifyingKey> keys() {
    return keys;
  }

  @Override
  public boolean coversUrl() {
    return false;
  }

  @Override
  public String verify(WebhookRequest request, Source source, Instant now) {
    if (Form.isSentBy(request)) {
      throw new RefusedException(
          Reason.MALFORMED_BODY, "The items are in JSON, and the body is a form.");
    }
    List<Secret> live = SignatureChecks.live(source, now);
    ByteRange body = ByteRange.of(request.body());
    List<Items.Item> found = JsonReader.isUnambiguous(body) ? items.of(body) : null;
    if (found == null || found.isEmpty()) {
      throw new RefusedException(
          Reason.MALFORMED_BODY, "The body has no items, and no signature is in a header.");
    }
    String label = "";
    for (Items.Item item : found) {
      label = verify(paths.read(item.slice()), live);
    }
    return label;
  }

  private String verify(Map<String, String> values, List<Secret> secrets) {
    String written = values.get(signaturePath);
    if (written == null) {
      throw new RefusedException(Reason.MISSING_SIGNATURE, "An item has no " + signaturePath + ".");
    }
    byte @Nullable [] signature = Encoding.BASE64.decode(written);
    if (signature == null) {
      throw new RefusedException(
          Reason.MALFORMED_SIGNATURE, "An item's signature is not in Base64.");
    }
    byte[][] content = {content(values)};
    for (Secret secret : secrets) {
      if (secret.key(keys).acceptsAny(List.of(signature), content)) {
        return secret.label();
      }
    }
    throw new RefusedException(Reason.BAD_SIGNATURE, "No live secret makes an item's signature.");
  }

  private byte[] content(Map<String, String> values) {
    StringJoiner joined = new StringJoiner(":");
    fields.forEach(field -> joined.add(values.getOrDefault(field, "")));
    return joined.toString().getBytes(StandardCharsets.UTF_8);
  }

  /** Puts the signature where the body of the draft says {@code {signature}}. */
  @Override
  public WebhookRequest sign(UnsignedRequest draft) {
    WebhookRequest request = draft.request();
    List<Items.Item> found = items.of(ByteRange.of(request.body()));
    if (found == null || found.size() != 1) {
      throw new IllegalArgumentException("A sample of this provider has exactly one item.");
    }
    Map<String, String> values = paths.read(found.get(0).slice());
    byte[] signature = draft.signer().sign(new byte[][] {content(values)});
    String body =
        new String(request.body(), StandardCharsets.UTF_8)
            .replace("{signature}", Encoding.BASE64.encode(signature));
    return UnsignedRequest.with(request, Map.of(), body.getBytes(StandardCharsets.UTF_8));
  }
}

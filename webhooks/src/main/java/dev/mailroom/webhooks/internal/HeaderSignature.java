package dev.mailroom.webhooks.internal;

import dev.mailroom.webhooks.Secret;
import dev.mailroom.webhooks.Source;
import dev.mailroom.webhooks.WebhookRequest;
import dev.mailroom.webhooks.internal.SignedContent.Signed;
import dev.mailroom.webhooks.spi.Verification.Reason;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A signature in a header: what is signed, how, and how it is written.
 *
 * @param header the header of the signature
 * @param grammar how the signature stands in it
 * @param encoding how the signature's bytes are written
 * @param keys how secrets become keys
 * @param content what is signed
 * @param timestamp where the request says when it was made; null if it does not
 * @param idHeader the header of the id, where it is signed
 * @param barredBy a header that must not be there: it belongs to a stronger check
 */
record HeaderSignature(
    String header,
    SignatureFormat grammar,
    Encoding encoding,
    Function<String, VerifyingKey> keys,
    SignedContent content,
    @Nullable Timestamp timestamp,
    @Nullable String idHeader,
    @Nullable String barredBy)
    implements SignatureCheck {

  /** A signature of the body alone. */
  static HeaderSignature of(
      String header, String prefix, Encoding encoding, Function<String, VerifyingKey> keys) {
    return new HeaderSignature(
        header,
        new SignatureFormat.Prefixed(prefix),
        encoding,
        keys,
        SignedContent.template("{body}"),
        null,
        null,
        null);
  }

  HeaderSignature grammar(SignatureFormat other) {
    return new HeaderSignature(
        header, other, encoding, keys, content, timestamp, idHeader, barredBy);
  }

  HeaderSignature signing(String template) {
    return signing(SignedContent.template(template));
  }

  HeaderSignature signing(SignedContent other) {
    return new HeaderSignature(
        header, grammar, encoding, keys, other, timestamp, idHeader, barredBy);
  }

  HeaderSignature madeAt(Timestamp other) {
    return new HeaderSignature(header, grammar, encoding, keys, content, other, idHeader, barredBy);
  }

  HeaderSignature identifiedBy(String other) {
    return new HeaderSignature(
        header, grammar, encoding, keys, content, timestamp, other, barredBy);
  }

  HeaderSignature barredBy(String other) {
    return new HeaderSignature(
        header, grammar, encoding, keys, content, timestamp, idHeader, other);
  }

  @Override
  public boolean applies(WebhookRequest request) {
    return request.headers().first(header) != null;
  }

  @Override
  public boolean coversUrl() {
    return content.coversUrl();
  }

  @Override
  public String verify(WebhookRequest request, Source source, Instant now) {
    String written = SignatureChecks.single(request, header, Reason.MALFORMED_SIGNATURE);
    if (written == null) {
      throw new RefusedException(Reason.MISSING_SIGNATURE, "There is no header " + header + ".");
    }
    if (barredBy != null && request.headers().first(barredBy) != null) {
      throw new RefusedException(
          Reason.BAD_SIGNATURE,
          "It has a signature (" + barredBy + ") that this source has no key for.");
    }
    SignatureFormat.Parsed parsed = grammar.parse(written);
    String time = timestamp == null ? null : timestamp.text(request, parsed);
    String id = idHeader == null ? null : id(request, idHeader);
    String label = match(parsed, new Signed(request, source, id, time), now);
    if (timestamp != null) {
      timestamp.check(request, source, time, now);
    }
    return label;
  }

  private String match(SignatureFormat.Parsed parsed, Signed signed, Instant now) {
    List<byte[][]> contents = content.of(signed);
    boolean ofOurKind = false;
    boolean readable = false;
    for (Secret secret : SignatureChecks.live(signed.source(), now)) {
      VerifyingKey key = secret.key(keys);
      List<byte[]> signatures = new ArrayList<>(1);
      for (SignatureFormat.Entry entry : parsed.signatures()) {
        if (entry.version().equals(key.version())) {
          ofOurKind = true;
          byte[] decoded = encoding.decode(entry.signature());
          if (decoded != null && decoded.length > 0) {
            signatures.add(decoded);
          }
        }
      }
      readable |= !signatures.isEmpty();
      for (byte[][] content : signatures.isEmpty() ? List.<byte[][]>of() : contents) {
        if (key.acceptsAny(signatures, content)) {
          return secret.label();
        }
      }
    }
    if (!ofOurKind) {
      throw new RefusedException(
          Reason.MISSING_SIGNATURE, "There is no signature of a kind that a secret is for.");
    }
    throw readable
        ? new RefusedException(
            Reason.BAD_SIGNATURE,
            "No live secret of the source "
                + signed.source().name()
                + " makes this signature over this request.")
        : new RefusedException(
            Reason.MALFORMED_SIGNATURE, "The signature is not in " + encoding + ".");
  }

  /** Dots part the id from what follows it, so it cannot have any. */
  private static String id(WebhookRequest request, String header) {
    String id = SignatureChecks.single(request, header, Reason.MALFORMED_ID);
    if (id == null || id.isBlank()) {
      throw new RefusedException(Reason.MISSING_ID, "There is no header " + header + ".");
    }
    if (id.indexOf('.') >= 0) {
      throw new RefusedException(Reason.MALFORMED_ID, "There is a dot in " + header + ".");
    }
    return id;
  }

  @Override
  public WebhookRequest sign(UnsignedRequest draft) {
    WebhookRequest request = draft.request();
    Map<String, String> added = new LinkedHashMap<>();
    String time = timestamp == null ? "" : timestamp.unit().write(draft.time());
    if (timestamp != null && timestamp.header() != null) {
      added.put(timestamp.header(), time);
    }
    if (idHeader != null) {
      added.put(idHeader, draft.id());
    }
    byte[][] signed = content.of(new Signed(request, draft.source(), draft.id(), time)).get(0);
    String signature = encoding.encode(draft.signer().sign(signed));
    added.put(header, grammar.write(time, draft.version(), signature));
    return UnsignedRequest.with(request, added, request.body());
  }
}

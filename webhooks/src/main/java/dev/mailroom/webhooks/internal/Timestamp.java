package dev.mailroom.webhooks.internal;

import dev.mailroom.webhooks.Source;
import dev.mailroom.webhooks.WebhookRequest;
import dev.mailroom.webhooks.spi.Verification.Reason;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Where a request says when it was made, and how long that is good for.
 *
 * @param header its header; null if it stands beside the signature
 * @param inBody where it stands in the body, if it does; goes before the header, because what is in
 *     the body is signed
 * @param unit how it is written
 * @param window how far it may be from our time, in both directions, unless the source says so
 */
record Timestamp(
    @Nullable String header, @Nullable JsonPaths inBody, TimeUnits unit, Duration window) {

  static final Duration DEFAULT_WINDOW = Duration.ofMinutes(5);

  static Timestamp besideTheSignature() {
    return new Timestamp(null, null, TimeUnits.SECONDS, DEFAULT_WINDOW);
  }

  static Timestamp inHeader(String header, TimeUnits unit) {
    return new Timestamp(header, null, unit, DEFAULT_WINDOW);
  }

  Timestamp within(Duration other) {
    return new Timestamp(header, inBody, unit, other);
  }

  /** In the body, or else in the header. */
  Timestamp orInBody(String path) {
    return new Timestamp(header, JsonPaths.of(path), unit, window);
  }

  /**
   * The text that is signed, if the time is not in the body.
   *
   * @throws RefusedException if there is none, or it is no time
   */
  @Nullable String text(WebhookRequest request, SignatureFormat.Parsed parsed) {
    if (inBody != null) {
      return null;
    }
    String text =
        header == null
            ? parsed.timestamp()
            : SignatureChecks.single(request, header, Reason.MALFORMED_TIMESTAMP);
    if (text == null) {
      throw missing();
    }
    read(text);
    return text;
  }

  /**
   * Compares with our time.
   *
   * @param text what {@link #text} said
   * @throws RefusedException if it is too far away, or there is none
   */
  void check(WebhookRequest request, Source source, @Nullable String text, Instant now) {
    Instant time = read(text == null ? late(request) : text);
    Duration allowed = source.tolerance() == null ? window : source.tolerance();
    Duration skew = Duration.between(now, time);
    if (skew.negated().compareTo(allowed) > 0) {
      throw new RefusedException(
          Reason.TOO_OLD, "It was made at %s, and it is %s now.".formatted(time, now), skew);
    }
    if (skew.compareTo(allowed) > 0) {
      throw new RefusedException(
          Reason.IN_THE_FUTURE,
          "It says it was made at %s, and it is %s now.".formatted(time, now),
          skew);
    }
  }

  private String late(WebhookRequest request) {
    String text = null;
    if (inBody != null) {
      text = inBody.only(ByteRange.of(request.body()));
    }
    if (text == null && header != null) {
      text = SignatureChecks.single(request, header, Reason.MALFORMED_TIMESTAMP);
    }
    if (text == null) {
      throw missing();
    }
    return text;
  }

  private Instant read(String text) {
    Instant time = unit.read(text);
    if (time == null) {
      throw new RefusedException(Reason.MALFORMED_TIMESTAMP, "The time of the request is none.");
    }
    return time;
  }

  private static RefusedException missing() {
    return new RefusedException(
        Reason.MISSING_TIMESTAMP, "The request does not say when it was made.");
  }
}

package dev.mailroom.webhooks;

import dev.mailroom.webhooks.spi.Verification;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

/** Why a request is refused, besides a failed verification. */
enum RefusalReason {
  /** The body is larger than the limit. */
  BODY_TOO_LARGE(413),
  /** The headers are larger than the limit. */
  HEADERS_TOO_LARGE(431),
  /** No source has this path. */
  UNKNOWN_SOURCE(404),
  /** The source's provider does not use this method. */
  METHOD_NOT_ALLOWED(405),
  /** The body is compressed, so its signature cannot be verified. */
  UNSUPPORTED_ENCODING(415),
  /** More events in one request than one write can store. */
  TOO_MANY_EVENTS(413),
  /** An event is larger than a message can be. */
  EVENT_TOO_LARGE(413),
  /** The store failed; the sender can retry. */
  STORE_UNAVAILABLE(503),
  /** The provider's code threw an exception; the sender can retry. */
  PROVIDER_FAILED(503);

  /** The value of Retry-After, in seconds. */
  private static final String RETRY_AFTER = "30";

  private static final int UNAVAILABLE = 503;

  private final int status;

  RefusalReason(int status) {
    this.status = status;
  }

  /** Its code in responses and metrics. */
  String code() {
    return code(this);
  }

  WebhookResponse response() {
    WebhookResponse plain = response(status, code());
    return status == UNAVAILABLE ? with(plain, "Retry-After", RETRY_AFTER) : plain;
  }

  /** With an additional header. */
  WebhookResponse response(String header, String value) {
    return with(response(), header, value);
  }

  static String code(Enum<?> reason) {
    return reason.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** The response to a request that failed verification: only which check failed. */
  static WebhookResponse response(Verification.Reason reason) {
    return response(reason.status(), code(reason));
  }

  private static WebhookResponse response(int status, String code) {
    return WebhookResponse.json(status, "{\"error\":\"" + code + "\"}");
  }

  private static WebhookResponse with(WebhookResponse plain, String header, String value) {
    Map<String, String> headers = new HashMap<>(plain.headers());
    headers.put(header, value);
    return new WebhookResponse(plain.status(), headers, plain.body());
  }
}

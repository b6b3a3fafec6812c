package dev.mailroom.webhooks;

import dev.mailroom.webhooks.spi.Verification;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

/** Why a request is not taken, besides what its verification found. */
enum Refusal {
  /** More bytes than are read. */
  BODY_TOO_LARGE(413),
  /** More headers than are read. */
  HEADERS_TOO_LARGE(431),
  /** Nobody is received at this path. */
  UNKNOWN_SOURCE(404),
  /** The source's provider has no such requests. */
  METHOD_NOT_ALLOWED(405),
  /** The body is compressed: what was signed cannot be told. */
  UNSUPPORTED_ENCODING(415),
  /** More events in one request than are stored together. */
  TOO_MANY_EVENTS(413),
  /** An event is larger than the mailroom stores. */
  EVENT_TOO_LARGE(413),
  /** It could not be stored, and whoever sent it may try again. */
  STORE_UNAVAILABLE(503),
  /** The provider's code has failed, and a repaired one may take it. */
  PROVIDER_FAILED(503);

  /** When a sender that heeds it comes again, in seconds. */
  private static final String RETRY_AFTER = "30";

  private static final int UNAVAILABLE = 503;

  private final int status;

  Refusal(int status) {
    this.status = status;
  }

  /** What it is called in answers and metrics. */
  String code() {
    return code(this);
  }

  WebhookResponse response() {
    WebhookResponse plain = response(status, code());
    return status == UNAVAILABLE ? with(plain, "Retry-After", RETRY_AFTER) : plain;
  }

  /** With one header more. */
  WebhookResponse response(String header, String value) {
    return with(response(), header, value);
  }

  static String code(Enum<?> reason) {
    return reason.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** The answer to a request that was not verified: which check failed, and nothing else. */
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

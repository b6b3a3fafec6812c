package dev.mailroom.webhooks;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;
import java.util.Objects;

/**
 * The response to a request.
 *
 * <p>Immutable by convention: the body is shared, not copied; do not change it.
 */
public final class WebhookResponse {
  private static final byte[] NOTHING = {};

  private final int status;
  private final Map<String, String> headers;
  private final byte[] body;

  /**
   * An answer.
   *
   * @param status the HTTP status
   * @param headers its headers, {@code Content-Type} included where there is a body
   * @param body the bytes of the body; handed over, not copied
   */
  public WebhookResponse(int status, Map<String, String> headers, byte[] body) {
    this.status = status;
    this.headers = Map.copyOf(headers);
    this.body = Objects.requireNonNull(body, "body");
  }

  /** An answer without a body. */
  public static WebhookResponse of(int status) {
    return new WebhookResponse(status, Map.of(), NOTHING);
  }

  /** An answer in plain text, which no browser takes for anything else. */
  public static WebhookResponse text(int status, String body) {
    return of(status, "text/plain; charset=utf-8", body);
  }

  /** An answer in JSON. */
  public static WebhookResponse json(int status, String body) {
    return of(status, "application/json", body);
  }

  private static WebhookResponse of(int status, String contentType, String body) {
    return new WebhookResponse(
        status,
        Map.of("Content-Type", contentType, "X-Content-Type-Options", "nosniff"),
        body.getBytes(StandardCharsets.UTF_8));
  }

  /** The HTTP status. */
  public int status() {
    return status;
  }

  /** The headers. */
  public Map<String, String> headers() {
    return headers;
  }

  /** The bytes themselves; not a copy, and not to be changed. */
  public byte[] body() {
    return body;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof WebhookResponse that
        && status == that.status
        && headers.equals(that.headers)
        && Arrays.equals(body, that.body);
  }

  @Override
  public int hashCode() {
    return Objects.hash(status, headers) * 31 + Arrays.hashCode(body);
  }

  @Override
  public String toString() {
    return "WebhookResponse[" + status + ", " + body.length + " bytes]";
  }
}

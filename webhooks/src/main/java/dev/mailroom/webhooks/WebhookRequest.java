package dev.mailroom.webhooks;

import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A request as it was received, before it is verified.
 *
 * <p>Immutable by convention: the body is shared, not copied, because this is the hot path; do not
 * change it.
 */
public final class WebhookRequest {
  private final String method;
  private final String path;
  private final @Nullable String query;
  private final Headers headers;
  private final byte[] body;
  private final @Nullable String peer;

  /**
   * Wraps what was received.
   *
   * @param method the method, in capitals
   * @param path the path of the URL, as sent: not decoded
   * @param query the query of the URL without its question mark, as sent: not decoded; null if
   *     there is none
   * @param headers the headers
   * @param body the body's bytes; handed over, not copied
   */
  public WebhookRequest(
      String method, String path, @Nullable String query, Headers headers, byte[] body) {
    this(method, path, query, headers, body, null);
  }

  private WebhookRequest(
      String method,
      String path,
      @Nullable String query,
      Headers headers,
      byte[] body,
      @Nullable String peer) {
    this.method = Objects.requireNonNull(method, "method");
    this.path = Objects.requireNonNull(path, "path");
    this.query = query;
    this.headers = Objects.requireNonNull(headers, "headers");
    this.body = Objects.requireNonNull(body, "body");
    this.peer = peer;
  }

  /** The same request, from that network address. */
  public WebhookRequest from(@Nullable String address) {
    return new WebhookRequest(method, path, query, headers, body, address);
  }

  /** The method, in capitals. */
  public String method() {
    return method;
  }

  /** The path of the URL, as sent: not decoded. */
  public String path() {
    return path;
  }

  /** The query of the URL without its question mark, as sent; null if there is none. */
  public @Nullable String query() {
    return query;
  }

  /** The headers. */
  public Headers headers() {
    return headers;
  }

  /** The bytes themselves; not a copy, and not to be changed. */
  public byte[] body() {
    return body;
  }

  /** The network address it came from, for the log; null if the server did not say. */
  public @Nullable String peer() {
    return peer;
  }

  /** Whether the requests are the same; from where they came does not count. */
  @Override
  public boolean equals(Object other) {
    return other instanceof WebhookRequest that
        && method.equals(that.method)
        && path.equals(that.path)
        && Objects.equals(query, that.query)
        && headers.equals(that.headers)
        && Arrays.equals(body, that.body);
  }

  @Override
  public int hashCode() {
    return Objects.hash(method, path, query) * 31 + Arrays.hashCode(body);
  }

  /** The method, the path and the length of the body; nothing that could be a secret. */
  @Override
  public String toString() {
    return "WebhookRequest[" + method + " " + path + ", " + body.length + " bytes]";
  }
}

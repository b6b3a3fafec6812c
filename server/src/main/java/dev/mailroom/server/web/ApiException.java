package dev.mailroom.server.web;

import java.util.Map;

/** Thrown by an operation to answer with a refusal. */
final class ApiException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final int status;
  private final String code;
  private final String text;
  private final transient Map<String, String> headers;

  ApiException(int status, String code, String text) {
    this(status, code, text, Map.of());
  }

  private ApiException(int status, String code, String text, Map<String, String> headers) {
    super(text, null, false, false);
    this.status = status;
    this.code = code;
    this.text = text;
    this.headers = headers;
  }

  /** Because the path has other methods than the request. */
  static ApiException method(String path, String allowed) {
    String text = path + " allows " + allowed + ".";
    return new ApiException(405, "method-not-allowed", text, Map.of("Allow", allowed));
  }

  /** Because more would be too much for now; what was not read must not be taken for a request. */
  static ApiException busy(String text) {
    return new ApiException(503, "busy", text, Map.of("Retry-After", "5", "Connection", "close"));
  }

  /** Because the peer has sent too many wrong keys. */
  static ApiException tooManyWrongKeys() {
    return new ApiException(
        429,
        "too-many-wrong-keys",
        "Too many wrong keys came from this address. A valid key is accepted at once.",
        Map.of("Retry-After", "60", "Connection", "close"));
  }

  ApiResponse reply() {
    ApiResponse reply = ApiResponse.refusal(status, code, text);
    for (Map.Entry<String, String> header : headers.entrySet()) {
      reply = reply.with(header.getKey(), header.getValue());
    }
    return reply;
  }
}

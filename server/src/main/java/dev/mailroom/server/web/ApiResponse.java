package dev.mailroom.server.web;

import java.util.LinkedHashMap;
import java.util.Map;

/** What a request is answered with. Immutable by convention: the body is shared, not copied. */
final class ApiResponse {
  private static final byte[] NOTHING = {};

  private final int status;
  private final Map<String, String> headers;
  private final byte[] body;

  ApiResponse(int status, Map<String, String> headers, byte[] body) {
    this.status = status;
    this.headers = headers;
    this.body = body;
  }

  static ApiResponse empty(int status) {
    return new ApiResponse(status, Map.of(), NOTHING);
  }

  static ApiResponse json(int status, Object body) {
    return of(status, "application/json", Json.bytes(body));
  }

  static ApiResponse of(int status, String contentType, byte[] body) {
    return new ApiResponse(
        status, Map.of("Content-Type", contentType, "X-Content-Type-Options", "nosniff"), body);
  }

  /** A refusal: a code for programs and a sentence for people. */
  static ApiResponse refusal(int status, String code, String message) {
    Map<String, Object> body = new LinkedHashMap<>();
    body.put("error", code);
    body.put("message", message);
    return json(status, body);
  }

  ApiResponse with(String name, String value) {
    Map<String, String> more = new LinkedHashMap<>(headers);
    more.put(name, value);
    return new ApiResponse(status, more, body);
  }

  int status() {
    return status;
  }

  Map<String, String> headers() {
    return headers;
  }

  byte[] body() {
    return body;
  }
}

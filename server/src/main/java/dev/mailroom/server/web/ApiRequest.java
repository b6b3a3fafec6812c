package dev.mailroom.server.web;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** One request, as an operation sees it. */
final class ApiRequest {
  private final String method;
  private final String path;
  private final Map<String, String> query;
  private final RequestHeaders headers;
  private final byte[] body;
  private final Map<String, String> variables;
  private final String caller;

  /**
   * A request.
   *
   * @param query the raw query, or null
   * @param headers its headers
   * @param variables the values of the route's placeholders
   * @param caller the name of the key that was used, for the log
   */
  ApiRequest(
      String method,
      String path,
      @Nullable String query,
      RequestHeaders headers,
      byte[] body,
      Map<String, String> variables,
      String caller) {
    this.method = method;
    this.path = path;
    this.query = parse(query);
    this.headers = headers;
    this.body = body;
    this.variables = variables;
    this.caller = caller;
  }

  private static Map<String, String> parse(@Nullable String query) {
    Map<String, String> values = new HashMap<>();
    if (query != null) {
      for (String pair : query.split("&", 100)) {
        int sign = pair.indexOf('=');
        String name = sign < 0 ? pair : pair.substring(0, sign);
        values.putIfAbsent(decode(name), sign < 0 ? "" : decode(pair.substring(sign + 1)));
      }
    }
    return values;
  }

  static String decode(String text) {
    try {
      return URLDecoder.decode(text, StandardCharsets.UTF_8);
    } catch (IllegalArgumentException e) {
      throw new ApiException(400, "bad-url", "The URL has a % that encodes nothing.");
    }
  }

  String method() {
    return method;
  }

  String path() {
    return path;
  }

  byte[] body() {
    return body;
  }

  String caller() {
    return caller;
  }

  /** The value of a placeholder of the route. */
  String variable(String name) {
    String value = variables.get(name);
    if (value == null) {
      throw new IllegalStateException("The route has no {" + name + "}.");
    }
    return value;
  }

  @Nullable String header(String name) {
    return headers.first(name);
  }

  /** Every header, as often as it was sent. */
  void eachHeader(BiConsumer<String, String> consumer) {
    headers.each(consumer);
  }

  /** A value of the query; blank means none. */
  @Nullable String parameter(String name) {
    String value = query.get(name);
    return value == null || value.isBlank() ? null : value;
  }

  /** What can be given by a header {@code Mailroom-Name} or in the query as {@code name}. */
  @Nullable String option(String name) {
    String header = header("Mailroom-" + name);
    return header == null || header.isBlank() ? parameter(name) : header;
  }
}

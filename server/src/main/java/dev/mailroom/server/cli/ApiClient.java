package dev.mailroom.server.cli;

import com.fasterxml.jackson.databind.JsonNode;
import dev.mailroom.server.web.Json;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Calls the API of a running server. */
final class ApiClient {
  private static final Duration TIMEOUT = Duration.ofMinutes(2);

  private final HttpClient http =
      HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(5)).build();
  private final String server;
  private final @Nullable String key;

  ApiClient(String server, @Nullable String key) {
    this.server = server.replaceFirst("/+$", "");
    this.key = key;
  }

  JsonNode get(String path, Map<String, @Nullable String> query) {
    return call(request(path + query(query)).GET());
  }

  JsonNode post(String path, Object body) {
    return call(
        request(path)
            .header("Content-Type", "application/json")
            .POST(HttpRequest.BodyPublishers.ofByteArray(Json.bytes(body))));
  }

  JsonNode post(String path, byte[] body, Map<String, @Nullable String> headers) {
    HttpRequest.Builder request = request(path).POST(HttpRequest.BodyPublishers.ofByteArray(body));
    headers.forEach(
        (name, value) -> {
          if (value != null) {
            request.header(name, value);
          }
        });
    return call(request);
  }

  static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
  }

  private static String query(Map<String, @Nullable String> query) {
    String text =
        query.entrySet().stream()
            .filter(entry -> entry.getValue() != null)
            .map(entry -> entry.getKey() + "=" + encoded(String.valueOf(entry.getValue())))
            .collect(Collectors.joining("&"));
    return text.isEmpty() ? "" : "?" + text;
  }

  private HttpRequest.Builder request(String path) {
    try {
      HttpRequest.Builder request =
          HttpRequest.newBuilder(URI.create(server + path)).timeout(TIMEOUT);
      if (key != null) {
        request.header("Authorization", "Bearer " + key);
      }
      return request;
    } catch (IllegalArgumentException e) {
      throw new CommandFailure(ExitCodes.USAGE, server + " is no URL of a server.");
    }
  }

  private JsonNode call(HttpRequest.Builder builder) {
    HttpRequest request = builder.build();
    HttpResponse<byte[]> response;
    try {
      response = http.send(request, HttpResponse.BodyHandlers.ofByteArray());
    } catch (IOException e) {
      throw new CommandFailure(
          ExitCodes.UNREACHABLE,
          "No server answers at " + server + " (" + e + "). Start it: mailroom serve.");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CommandFailure(ExitCodes.FAILED, "Interrupted.");
    }
    JsonNode body = body(response);
    if (response.statusCode() >= 300) {
      throw new CommandFailure(
          response.statusCode() == 503 ? ExitCodes.UNREACHABLE : ExitCodes.FAILED,
          "The server answered %d: %s%s"
              .formatted(
                  response.statusCode(),
                  body.path("message").asText(body.toString()),
                  response.statusCode() == 401 ? " Give --api-key or $MAILROOM_API_KEY." : ""));
    }
    return body;
  }

  private JsonNode body(HttpResponse<byte[]> response) {
    try {
      return Json.tree(response.body());
    } catch (IOException e) {
      throw new CommandFailure(
          ExitCodes.FAILED,
          "What answers at " + server + " is no Mailroom: " + response.statusCode() + ".");
    }
  }
}

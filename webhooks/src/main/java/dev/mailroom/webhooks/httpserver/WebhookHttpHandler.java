package dev.mailroom.webhooks.httpserver;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import dev.mailroom.webhooks.Headers;
import dev.mailroom.webhooks.WebhookResponse;
import dev.mailroom.webhooks.Webhooks;
import java.io.IOException;
import java.net.URI;

/**
 * Receives webhooks in the HTTP server of the JDK: {@code server.createContext("/", new
 * WebhookHttpHandler(webhooks))}. That server knows no limits of its own for how long a request may
 * take; behind a proxy it is good enough.
 */
public final class WebhookHttpHandler implements HttpHandler {
  private static final long NO_BODY = -1;

  private final Webhooks webhooks;

  /** For webhooks that are part of a mailroom. */
  public WebhookHttpHandler(Webhooks webhooks) {
    this.webhooks = webhooks;
  }

  @Override
  public void handle(HttpExchange exchange) throws IOException {
    try (exchange) {
      Headers.Builder headers = Headers.builder();
      exchange
          .getRequestHeaders()
          .forEach((name, values) -> values.forEach(value -> headers.add(name, value)));
      URI uri = exchange.getRequestURI();
      WebhookResponse answer =
          webhooks.receive(
              exchange.getRequestMethod(),
              String.valueOf(uri.getRawPath()),
              uri.getRawQuery(),
              headers,
              exchange.getRequestBody());
      answer.headers().forEach(exchange.getResponseHeaders()::set);
      boolean isEmpty = answer.body().length == 0 || exchange.getRequestMethod().equals("HEAD");
      exchange.sendResponseHeaders(answer.status(), isEmpty ? NO_BODY : answer.body().length);
      if (!isEmpty) {
        exchange.getResponseBody().write(answer.body());
        // Closing waits for what is left of the request; the answer must not wait for that.
        exchange.getResponseBody().flush();
      }
    }
  }
}

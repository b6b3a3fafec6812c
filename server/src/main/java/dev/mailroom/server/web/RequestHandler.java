package dev.mailroom.server.web;

import dev.mailroom.TransientStoreException;
import dev.mailroom.webhooks.Headers;
import dev.mailroom.webhooks.WebhookRequest;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.MDC;

/** Brings each request to its route, or to the webhooks, and the answer back. */
final class RequestHandler extends Handler.Abstract {
  static final String WEBHOOKS = "/webhooks/";
  private static final String SOURCES = WEBHOOKS + "{source}";

  private static final Logger LOG = LoggerFactory.getLogger(RequestHandler.class);
  private static final String UNKNOWN = "unknown";

  private final List<Route> routes;
  private final WebhookIntake webhooks;
  private final Gate gate;
  private final BodyReader bodies;
  private final RequestMeters meters;

  RequestHandler(
      List<Route> routes,
      WebhookIntake webhooks,
      Gate gate,
      BodyReader bodies,
      RequestMeters meters) {
    this.routes = List.copyOf(routes);
    this.webhooks = webhooks;
    this.gate = gate;
    this.bodies = bodies;
    this.meters = meters;
  }

  @Override
  public boolean handle(Request request, Response response, Callback callback) {
    Exchange exchange =
        new Exchange(
            response,
            callback,
            request.getMethod(),
            RequestIds.of(request.getHeaders().get(RequestIds.HEADER)),
            meters.start());
    MDC.put("request", exchange.id());
    try {
      String path = request.getHttpURI().getPath();
      String route = UNKNOWN;
      try {
        Found found = path == null || path.startsWith(WEBHOOKS) ? null : find(request, path);
        if (found == null) {
          route = SOURCES;
          receive(request, path == null ? "" : path, exchange);
        } else {
          route = found.route().template();
          answer(exchange, route, run(request, path, found));
        }
      } catch (RuntimeException e) {
        answer(exchange, route, failure(route, e));
      }
    } finally {
      MDC.remove("request");
    }
    return true;
  }

  /**
   * A request that is to be answered.
   *
   * @param id by which it is found in logs
   * @param start when it came
   */
  private record Exchange(
      Response response, Callback callback, String method, String id, long start) {}

  private void answer(Exchange exchange, String route, Reply reply) {
    LOG.debug("{} {} is answered with {}", exchange.method(), route, reply.status());
    send(reply, exchange.id(), exchange.response(), exchange.callback());
    meters.end(route, reply.status(), exchange.start());
  }

  private static Reply failure(String route, RuntimeException error) {
    if (error instanceof Refused refused) {
      return refused.reply();
    }
    if (error instanceof TransientStoreException) {
      LOG.warn("The store failed for {}: {}", route, error.getMessage());
      return Reply.refusal(503, "store-unavailable", "The store is not available; try again.")
          .with("Retry-After", "5");
    }
    LOG.error("{} failed", route, error);
    return Reply.refusal(500, "failed", "The request failed; the server's log says why.");
  }

  /** A route and what stands in the place of its placeholders. */
  private record Found(Route route, Map<String, String> variables) {}

  /** The route, or null if nobody serves the path: it may be one of a source's own. */
  private @Nullable Found find(Request request, String path) {
    TreeSet<String> allowed = new TreeSet<>();
    for (Route route : routes) {
      Map<String, String> variables = route.match(path);
      if (variables != null) {
        if (route.method().equals(request.getMethod())) {
          return new Found(route, variables);
        }
        allowed.add(route.method());
      }
    }
    if (allowed.isEmpty()) {
      return null;
    }
    throw Refused.method(path, String.join(", ", allowed));
  }

  private Reply run(Request request, String path, Found found) {
    RequestHeaders headers = new RequestHeaders(request.getHeaders());
    String caller =
        gate.admit(
            found.route().access(),
            request.getConnectionMetaData().getRemoteSocketAddress(),
            headers);
    byte[] body = bodies.read(request);
    return found
        .route()
        .operation()
        .run(
            new Call(
                request.getMethod(),
                path,
                request.getHttpURI().getQuery(),
                headers,
                body,
                found.variables(),
                caller));
  }

  /** The answer is sent by whoever stores the events, so that no thread waits for that. */
  private void receive(Request request, String path, Exchange exchange) {
    webhooks
        .receive(webhook(request, path))
        .thenAccept(
            answer -> {
              MDC.put("request", exchange.id());
              try {
                Reply reply = new Reply(answer.status(), answer.headers(), answer.body());
                answer(exchange, SOURCES, reply);
              } finally {
                MDC.remove("request");
              }
            })
        .exceptionally(
            error -> {
              LOG.error("{} failed", SOURCES, error);
              exchange.callback().failed(error);
              return null;
            });
  }

  private WebhookRequest webhook(Request request, String path) {
    byte[] body = bodies.read(request);
    Headers.Builder headers = Headers.builder();
    new RequestHeaders(request.getHeaders()).each(headers::add);
    if (headers.tooLarge()) {
      throw new Refused(431, "headers-too-large", "The request has too many headers.");
    }
    return new WebhookRequest(
        request.getMethod(), path, request.getHttpURI().getQuery(), headers.build(), body);
  }

  private static void send(Reply reply, String id, Response response, Callback callback) {
    response.setStatus(reply.status());
    HttpFields.Mutable headers = response.getHeaders();
    headers.put(RequestIds.HEADER, id);
    reply.headers().forEach(headers::put);
    if (reply.status() == 413 || reply.status() == 408) {
      // What was not read must not be taken for the next request.
      headers.put(HttpHeader.CONNECTION, "close");
    }
    headers.put(HttpHeader.CONTENT_LENGTH, reply.body().length);
    response.write(true, ByteBuffer.wrap(reply.body()), callback);
  }
}

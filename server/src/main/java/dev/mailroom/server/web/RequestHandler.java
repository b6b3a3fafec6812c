package dev.mailroom.server.web;

import dev.mailroom.TransientStoreException;
import dev.mailroom.webhooks.Headers;
import dev.mailroom.webhooks.WebhookRequest;
import dev.mailroom.webhooks.WebhookResponse;
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
    long start = meters.start();
    String id = RequestIds.of(request.getHeaders().get(RequestIds.HEADER));
    MDC.put("request", id);
    try {
      Answer answer = answer(request);
      Reply reply = answer.reply();
      LOG.debug("{} {} is answered with {}", request.getMethod(), answer.route(), reply.status());
      send(reply, id, response, callback);
      meters.end(answer.route(), reply.status(), start);
    } finally {
      MDC.remove("request");
    }
    return true;
  }

  /**
   * What a request is answered with.
   *
   * @param route whose request it was, out of few
   */
  private record Answer(String route, Reply reply) {}

  private Answer answer(Request request) {
    String route = UNKNOWN;
    try {
      String path = request.getHttpURI().getPath();
      Found found = path == null || path.startsWith(WEBHOOKS) ? null : find(request, path);
      if (found == null) {
        route = WEBHOOKS + "{source}";
        return new Answer(route, receive(request, path == null ? "" : path));
      }
      route = found.route().template();
      return new Answer(route, run(request, path, found));
    } catch (Refused refused) {
      return new Answer(route, refused.reply());
    } catch (TransientStoreException e) {
      LOG.warn("The store failed for {}: {}", route, e.getMessage());
      return new Answer(
          route,
          Reply.refusal(503, "store-unavailable", "The store is not available; try again.")
              .with("Retry-After", "5"));
    } catch (RuntimeException e) {
      LOG.error("{} failed", route, e);
      return new Answer(
          route, Reply.refusal(500, "failed", "The request failed; the server's log says why."));
    }
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

  private Reply receive(Request request, String path) {
    WebhookResponse answer = webhooks.receive(webhook(request, path));
    return new Reply(answer.status(), answer.headers(), answer.body());
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

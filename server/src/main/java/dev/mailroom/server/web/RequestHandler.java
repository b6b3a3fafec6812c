package dev.mailroom.server.web;

import dev.mailroom.TransientStoreException;
import dev.mailroom.webhooks.Headers;
import dev.mailroom.webhooks.WebhookRequest;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
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
    exchange.run(
        () -> {
          String path = request.getHttpURI().getPath();
          String route = UNKNOWN;
          try {
            Found found = path == null || path.startsWith(WEBHOOKS) ? null : find(request, path);
            if (found == null) {
              route = SOURCES;
              receive(request, path == null ? "" : path, exchange);
            } else {
              route = found.route().template();
              run(request, path, found, exchange);
            }
          } catch (RuntimeException e) {
            answer(exchange, route, failure(route, e));
          }
        });
    return true;
  }

  /**
   * A request that is to be answered.
   *
   * @param id by which it is found in logs
   * @param start when it came
   */
  private record Exchange(
      Response response, Callback callback, String method, String id, long start) {
    /** Does something for it that is found in logs. */
    void run(Runnable action) {
      MDC.put("request", id);
      try {
        action.run();
      } finally {
        MDC.remove("request");
      }
    }
  }

  /**
   * Goes on when the body is there: at once, or on another thread, since the one that has noticed
   * the last bytes must not be kept.
   */
  private void whenRead(
      Request request, Exchange exchange, String route, Consumer<byte[]> operation) {
    BodyReader.Body body = bodies.read(request);
    Executor executor = body.hasEnded() ? Runnable::run : request.getComponents().getExecutor();
    body.whole()
        .whenCompleteAsync(
            (bytes, failure) -> {
              try {
                exchange.run(() -> goOn(exchange, route, bytes, failure, operation));
              } finally {
                body.release();
              }
            },
            executor);
  }

  private void goOn(
      Exchange exchange,
      String route,
      byte[] body,
      @Nullable Throwable failure,
      Consumer<byte[]> operation) {
    try {
      if (failure != null) {
        throw bodies.refusal(failure);
      }
      operation.accept(body);
    } catch (RuntimeException e) {
      answer(exchange, route, failure(route, e));
    } catch (Error e) {
      exchange.callback().failed(e); // nobody else looks at it
      throw e;
    }
  }

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

  private void run(Request request, String path, Found found, Exchange exchange) {
    Route route = found.route();
    RequestHeaders headers = new RequestHeaders(request.getHeaders());
    SocketAddress remote = request.getConnectionMetaData().getRemoteSocketAddress();
    String caller = gate.admit(route.access(), remote, headers);
    String query = request.getHttpURI().getQuery();
    whenRead(
        request,
        exchange,
        route.template(),
        body -> {
          Call call =
              new Call(request.getMethod(), path, query, headers, body, found.variables(), caller);
          answer(exchange, route.template(), route.operation().run(call));
        });
  }

  private void receive(Request request, String path, Exchange exchange) {
    Headers.Builder headers = Headers.builder();
    new RequestHeaders(request.getHeaders()).each(headers::add);
    if (headers.tooLarge()) {
      throw new Refused(431, "headers-too-large", "The request has too many headers.");
    }
    String method = request.getMethod();
    String query = request.getHttpURI().getQuery();
    String peer = Request.getRemoteAddr(request);
    whenRead(
        request,
        exchange,
        SOURCES,
        body -> {
          WebhookRequest received =
              new WebhookRequest(method, path, query, headers.build(), body).from(peer);
          receive(received, exchange);
        });
  }

  /** The answer is sent by whoever stores the events, so that no thread waits for that. */
  private void receive(WebhookRequest request, Exchange exchange) {
    webhooks
        .receive(request)
        .thenAccept(
            answer -> {
              Reply reply = new Reply(answer.status(), answer.headers(), answer.body());
              exchange.run(() -> answer(exchange, SOURCES, reply));
            })
        .exceptionally(
            error -> {
              LOG.error("{} failed", SOURCES, error);
              exchange.callback().failed(error);
              return null;
            });
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

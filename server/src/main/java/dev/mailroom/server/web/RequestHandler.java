package dev.mailroom.server.web;

import dev.mailroom.webhooks.Headers;
import dev.mailroom.webhooks.WebhookRequest;
import java.net.SocketAddress;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Dispatches each request to its route, or to the webhooks, and sends the response. */
final class RequestHandler extends Handler.Abstract {
  static final String WEBHOOKS = "/webhooks/";
  private static final String SOURCES = WEBHOOKS + "{source}";

  private static final Logger LOG = LoggerFactory.getLogger(RequestHandler.class);
  private static final String UNKNOWN = "unknown";

  private final List<HttpRoute> routes;
  private final WebhookReceiver webhooks;
  private final AccessControl accessControl;
  private final BodyReader bodies;
  private final OpenConnections connections;
  private final ResponseSender answers;

  RequestHandler(
      List<HttpRoute> routes,
      WebhookReceiver webhooks,
      AccessControl accessControl,
      BodyReader bodies,
      OpenConnections connections,
      ResponseSender answers) {
    this.routes = List.copyOf(routes);
    this.webhooks = webhooks;
    this.accessControl = accessControl;
    this.bodies = bodies;
    this.connections = connections;
    this.answers = answers;
  }

  @Override
  public boolean handle(Request request, Response response, Callback callback) {
    Exchange exchange = answers.begin(request, response, callback);
    connections.headReceived(exchange.connection());
    Request.addCompletionListener(request, failure -> connections.answered(exchange.connection()));
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
            answers.fail(exchange, route, e);
          }
        });
    return true;
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
            (bytes, failure) ->
                exchange.run(() -> goOn(exchange, route, bytes, failure, operation)),
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
      connections.requestReceived(exchange.connection());
      operation.accept(body);
    } catch (RuntimeException e) {
      answers.fail(exchange, route, e);
    } catch (Error e) {
      exchange.callback().failed(e); // no other code handles it
      throw e;
    }
  }

  /** A route and the values of its placeholders. */
  private record Found(HttpRoute route, Map<String, String> variables) {}

  /** The route, or null if no route has this path: it may be the path of a source. */
  private @Nullable Found find(Request request, String path) {
    TreeSet<String> allowed = new TreeSet<>();
    for (HttpRoute route : routes) {
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
    throw ApiException.method(path, String.join(", ", allowed));
  }

  private void run(Request request, String path, Found found, Exchange exchange) {
    HttpRoute route = found.route();
    RequestHeaders headers = new RequestHeaders(request.getHeaders());
    SocketAddress remote = request.getConnectionMetaData().getRemoteSocketAddress();
    String caller = accessControl.authorize(route.access(), remote, headers);
    String query = request.getHttpURI().getQuery();
    whenRead(
        request,
        exchange,
        route.template(),
        body -> {
          ApiRequest call =
              new ApiRequest(
                  request.getMethod(), path, query, headers, body, found.variables(), caller);
          answers.send(exchange, route.template(), route.operation().run(call));
        });
  }

  private void receive(Request request, String path, Exchange exchange) {
    Headers.Builder headers = Headers.builder();
    new RequestHeaders(request.getHeaders()).each(headers::add);
    if (headers.tooLarge()) {
      throw new ApiException(431, "headers-too-large", "The request has too many headers.");
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

  /** The thread that stores the events sends the response, so that no other thread waits for it. */
  private void receive(WebhookRequest request, Exchange exchange) {
    webhooks
        .receive(request)
        .thenAccept(
            answer -> {
              ApiResponse reply = new ApiResponse(answer.status(), answer.headers(), answer.body());
              exchange.run(() -> answers.send(exchange, SOURCES, reply));
            })
        .exceptionally(
            error -> {
              LOG.error("{} failed", SOURCES, error);
              exchange.callback().failed(error);
              return null;
            });
  }
}

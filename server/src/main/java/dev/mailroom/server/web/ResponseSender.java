package dev.mailroom.server.web;

import dev.mailroom.errors.TransientStoreException;
import dev.mailroom.time.TimeSource;
import java.nio.ByteBuffer;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Sends replies, and finds them for requests that have failed. */
final class ResponseSender {
  private static final Logger LOG = LoggerFactory.getLogger(ResponseSender.class);

  private final RequestMeters meters;
  private final StoreWrites writes;
  private final RepeatedWarning failedOthers;

  /**
   * Sends replies.
   *
   * @param writes records when a message cannot be stored
   */
  ResponseSender(RequestMeters meters, StoreWrites writes, TimeSource time) {
    this.meters = meters;
    this.writes = writes;
    this.failedOthers =
        new RepeatedWarning(
            LOG,
            time,
            count -> "The store failed for %d requests that store no message".formatted(count));
  }

  /** A request that has just come. */
  Exchange begin(Request request, Response response, Callback callback) {
    String id = RequestIds.of(request.getHeaders().get(RequestIds.HEADER));
    request.setAttribute(RequestIds.HEADER, id);
    return new Exchange(request, response, callback, id, meters.start());
  }

  void send(Exchange exchange, String route, ApiResponse reply) {
    LOG.debug("{} {} is answered with {}", exchange.method(), route, reply.status());
    Response response = exchange.response();
    response.setStatus(reply.status());
    HttpFields.Mutable headers = response.getHeaders();
    headers.put(RequestIds.HEADER, exchange.id());
    reply.headers().forEach(headers::put);
    if (reply.status() == 413 || reply.status() == 408) {
      // What was not read must not be taken for the next request.
      headers.put(HttpHeader.CONNECTION, "close");
    }
    headers.put(HttpHeader.CONTENT_LENGTH, reply.body().length);
    response.write(true, ByteBuffer.wrap(reply.body()), exchange.callback());
    meters.end(route, reply.status(), exchange.start());
  }

  /** Answers a request that is refused or has failed. */
  void fail(Exchange exchange, String route, RuntimeException error) {
    send(exchange, route, reply(exchange.method(), route, error));
  }

  private ApiResponse reply(String method, String route, RuntimeException error) {
    if (error instanceof ApiException refused) {
      return refused.reply();
    }
    if (error instanceof TransientStoreException) {
      if (method.equals("POST") && route.endsWith("/messages")) {
        writes.failed(error);
      } else {
        LOG.debug("The store failed for {}", route, error);
        failedOthers.add();
      }
      return ApiResponse.refusal(
              503, "store-unavailable", "The store is not available; retry later.")
          .with("Retry-After", "5");
    }
    LOG.error("{} failed", route, error);
    return ApiResponse.refusal(500, "failed", "The request failed; the server's log says why.");
  }
}

package dev.mailroom.server.web;

import java.nio.ByteBuffer;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.handler.ErrorHandler;
import org.eclipse.jetty.util.Callback;

/**
 * Answers for requests that Jetty itself refuses or that have failed in it: the same JSON as
 * everywhere, with nothing of the cause in it.
 */
final class JsonErrorHandler extends ErrorHandler {

  @Override
  public boolean handle(Request request, Response response, Callback callback) {
    ApiResponse reply = reply(response.getStatus());
    HttpFields.Mutable headers = response.getHeaders();
    headers.put(
        RequestIds.HEADER,
        request.getAttribute(RequestIds.HEADER) instanceof String given
            ? given
            : RequestIds.of(request.getHeaders().get(RequestIds.HEADER)));
    reply.headers().forEach(headers::put);
    headers.put(HttpHeader.CONTENT_LENGTH, reply.body().length);
    response.write(true, ByteBuffer.wrap(reply.body()), callback);
    return true;
  }

  private static ApiResponse reply(int status) {
    return switch (status) {
      case HttpStatus.BAD_REQUEST_400 ->
          ApiResponse.refusal(status, "bad-request", "The request is not valid HTTP.");
      case HttpStatus.NOT_FOUND_404 ->
          ApiResponse.refusal(status, "not-found", "There is nothing at this path.");
      case HttpStatus.METHOD_NOT_ALLOWED_405 ->
          ApiResponse.refusal(status, "method-not-allowed", "The path does not allow this method.");
      case HttpStatus.REQUEST_TIMEOUT_408 ->
          ApiResponse.refusal(status, "too-slow", "The request did not come in time.");
      case HttpStatus.URI_TOO_LONG_414 ->
          ApiResponse.refusal(status, "url-too-long", "The URL is too long (limits.headers).");
      case HttpStatus.REQUEST_HEADER_FIELDS_TOO_LARGE_431 ->
          ApiResponse.refusal(
              status, "headers-too-large", "The headers are too large (limits.headers).");
      case HttpStatus.HTTP_VERSION_NOT_SUPPORTED_505 ->
          ApiResponse.refusal(status, "unsupported-version", "Send HTTP/1.1.");
      case HttpStatus.SERVICE_UNAVAILABLE_503 ->
          ApiResponse.refusal(status, "busy", "The server cannot answer now; retry later.")
              .with("Retry-After", "5");
      default -> other(status);
    };
  }

  private static ApiResponse other(int status) {
    return HttpStatus.isClientError(status)
        ? ApiResponse.refusal(status, "bad-request", "The request cannot be handled.")
        : ApiResponse.refusal(status, "failed", "The request failed; the server's log says why.");
  }
}

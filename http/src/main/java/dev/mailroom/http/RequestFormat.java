package dev.mailroom.http;

import dev.mailroom.outbox.spi.OutboxMessage;
import dev.mailroom.outbox.spi.WireHeaders;
import java.util.Map;

/**
 * Says what a request looks like, apart from its signature. Called concurrently: an implementation
 * is thread-safe.
 */
@FunctionalInterface
public interface RequestFormat {

  /**
   * The body of a request.
   *
   * @param headers takes the request's headers, its content type among them
   * @throws RuntimeException if it cannot be put in this format; the event is dead at once
   */
  byte[] write(OutboxMessage message, Map<String, String> headers);

  /**
   * The payload as it is stored, and everything else in headers: see {@link WireHeaders}. What HTTP
   * does not allow in a header's value is percent-encoded in UTF-8, and so is the percent sign.
   */
  static RequestFormat plain() {
    return (message, headers) -> {
      WireHeaders.of(message)
          .forEach((name, value) -> headers.put(name, HeaderCheck.encode(value)));
      return message.payload();
    };
  }
}

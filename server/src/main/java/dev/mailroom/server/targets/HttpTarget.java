package dev.mailroom.server.targets;

import dev.mailroom.Message;
import dev.mailroom.Payload;
import dev.mailroom.Result;
import dev.mailroom.http.AddressPolicy;
import dev.mailroom.http.Endpoint;
import dev.mailroom.http.HttpDispatcher;
import dev.mailroom.http.OnRejection;
import dev.mailroom.http.RequestFormat;
import dev.mailroom.outbox.spi.OutboxMessage;
import dev.mailroom.server.config.SecretText;
import dev.mailroom.server.config.ServerOptions.Kind;
import java.time.Duration;

/** Posts to a URL, signed as the Standard Webhooks specification says. */
final class HttpTarget implements Target {
  private final HttpDispatcher dispatcher;

  HttpTarget(Kind.Post post, Duration timeout) {
    RequestFormat plain = RequestFormat.plain();
    String topic = post.topic();
    RequestFormat format =
        (message, headers) -> {
          byte[] body = plain.write(message, headers);
          if (topic != null) {
            headers.put(OutboxMessage.TOPIC_HEADER, topic);
          }
          return body;
        };
    this.dispatcher =
        HttpDispatcher.builder()
            .otherwise(
                Endpoint.of(
                    post.url(),
                    post.secrets().stream().map(SecretText::reveal).toArray(String[]::new)))
            .addresses(post.anyAddress() ? AddressPolicy.ANY : AddressPolicy.PUBLIC)
            .onRejection(post.deadOnRejection() ? OnRejection.DEAD_LETTER : OnRejection.RETRY)
            .timeout(timeout)
            .format(format)
            .build();
  }

  @Override
  public Result deliver(Message message, int attempt) {
    return dispatcher.dispatch(new OutboxMessage(message, Payload::bytes));
  }

  @Override
  public void close() {
    dispatcher.close();
  }
}

package dev.mailroom.server.targets;

import dev.mailroom.http.AddressPolicy;
import dev.mailroom.http.Endpoint;
import dev.mailroom.http.HttpDispatcher;
import dev.mailroom.http.OnRejection;
import dev.mailroom.http.PostResult;
import dev.mailroom.http.RequestFormat;
import dev.mailroom.messages.Message;
import dev.mailroom.messages.Payload;
import dev.mailroom.outbox.spi.OutboxMessage;
import dev.mailroom.server.config.SecretText;
import dev.mailroom.server.config.ServerOptions.Kind;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Posts to a URL, signed as the Standard Webhooks specification says. */
final class HttpTarget implements DeliveryTarget {
  private final DisabledTarget disabled;
  private final HttpDispatcher dispatcher;

  HttpTarget(String name, Kind.Post post, Duration timeout) {
    this.disabled = new DisabledTarget(name);
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
            .disabledEndpoints(disabled)
            .timeout(timeout)
            .format(format)
            .build();
  }

  @Override
  public DeliveryResult deliver(Message message, int attempt) {
    PostResult posted = dispatcher.post(new OutboxMessage(message, Payload::bytes));
    return new DeliveryResult(
        posted.result(), posted.available(), posted.sent(), posted.retryAfter());
  }

  @Override
  public @Nullable String disabledReason() {
    return disabled.reason();
  }

  @Override
  public void enable() {
    disabled.enable();
  }

  @Override
  public void close() {
    dispatcher.close();
  }
}

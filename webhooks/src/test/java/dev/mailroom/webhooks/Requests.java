package dev.mailroom.webhooks;

import dev.mailroom.webhooks.spi.Provider;
import dev.mailroom.webhooks.spi.Verification;
import dev.mailroom.webhooks.spi.Verification.Reason;
import dev.mailroom.webhooks.spi.Verification.Refused;
import dev.mailroom.webhooks.spi.Verification.Verified;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Requests for tests of providers. */
final class Requests {
  private Requests() {}

  static Source source(Provider provider, String... secrets) {
    SourceBuilder builder =
        Source.of("test", provider).publicUrl("https://example.com/webhooks/test");
    for (String secret : secrets) {
      builder.secret(secret);
    }
    return builder.build();
  }

  static WebhookRequest post(String body, String... headers) {
    return post(body.getBytes(StandardCharsets.UTF_8), headers);
  }

  static WebhookRequest post(byte[] body, String... headers) {
    Headers.Builder builder = Headers.builder();
    for (int i = 0; i < headers.length; i += 2) {
      builder.add(headers[i], headers[i + 1]);
    }
    return new WebhookRequest("POST", "/webhooks/test", null, builder.build(), body);
  }

  static WebhookRequest withBody(WebhookRequest request, byte[] body) {
    return new WebhookRequest(
        request.method(), request.path(), request.query(), request.headers(), body);
  }

  static WebhookRequest withQuery(WebhookRequest request, @Nullable String query) {
    return new WebhookRequest(
        request.method(), request.path(), query, request.headers(), request.body());
  }

  /** With the values of one header changed; null takes it away. */
  static WebhookRequest change(
      WebhookRequest request, String header, UnaryOperator<@Nullable String> change) {
    Headers.Builder headers = Headers.builder();
    for (String name : request.headers().names()) {
      for (String value : request.headers().all(name)) {
        String changed = name.equalsIgnoreCase(header) ? change.apply(value) : value;
        if (changed != null) {
          headers.add(name, changed);
        }
      }
    }
    return new WebhookRequest(
        request.method(), request.path(), request.query(), headers.build(), request.body());
  }

  /** With one more header. */
  static WebhookRequest add(WebhookRequest request, String header, String added) {
    Headers.Builder headers = Headers.builder();
    for (String name : request.headers().names()) {
      request.headers().all(name).forEach(value -> headers.add(name, value));
    }
    headers.add(header, added);
    return new WebhookRequest(
        request.method(), request.path(), request.query(), headers.build(), request.body());
  }

  static boolean accepts(Source source, WebhookRequest request, Instant now) {
    return source.provider().verify(request, source, now) instanceof Verified;
  }

  static @Nullable Reason refusal(Source source, WebhookRequest request, Instant now) {
    Verification verification = source.provider().verify(request, source, now);
    return verification instanceof Refused refused ? refused.reason() : null;
  }
}

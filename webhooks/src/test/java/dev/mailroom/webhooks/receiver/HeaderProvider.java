package dev.mailroom.webhooks.receiver;

import dev.mailroom.webhooks.Source;
import dev.mailroom.webhooks.WebhookEvent;
import dev.mailroom.webhooks.WebhookRequest;
import dev.mailroom.webhooks.WebhookResponse;
import dev.mailroom.webhooks.spi.Acknowledgement;
import dev.mailroom.webhooks.spi.Provider;
import dev.mailroom.webhooks.spi.Verification;
import dev.mailroom.webhooks.spi.Verification.Reason;
import dev.mailroom.webhooks.spi.Verification.Refused;
import dev.mailroom.webhooks.spi.Verification.Verified;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * A provider whose requests have everything in headers: the secret itself, and the type, id, entity
 * and tenant of their event. With the header {@code x-many} each line of the body is an event.
 */
class HeaderProvider implements Provider {
  private static final byte NEW_LINE = '\n';

  @Override
  public String name() {
    return "header";
  }

  @Override
  public WebhookResponse answerUnsignedHandshake(WebhookRequest request, Source source) {
    return request.method().equals("GET") ? WebhookResponse.text(200, "hello") : null;
  }

  @Override
  public Verification verify(WebhookRequest request, Source source, Instant now) {
    String sent = request.headers().first("x-secret");
    if (sent == null) {
      return new Refused(Reason.MISSING_SIGNATURE, "no secret");
    }
    if (sent.isBlank() || request.headers().all("x-secret").size() > 1) {
      return new Refused(Reason.MALFORMED_SIGNATURE, "blank secret, or two");
    }
    return source.secrets().stream()
        .filter(secret -> secret.isLive(now) && secret.value().equals(sent))
        .findFirst()
        .<Verification>map(secret -> new Verified(secret.label()))
        .orElseGet(() -> new Refused(Reason.BAD_SIGNATURE, "wrong secret"));
  }

  @Override
  public WebhookResponse answerSignedHandshake(
      WebhookRequest request, Source source, Verified how) {
    return "ping".equals(request.headers().first("x-type"))
        ? WebhookResponse.text(200, "pong")
        : null;
  }

  @Override
  public List<WebhookEvent> events(WebhookRequest request, Source source) {
    if (request.headers().first("x-many") == null) {
      return List.of(event(request, request.headers().first("x-id"), request.body()));
    }
    List<WebhookEvent> events = new ArrayList<>();
    int begin = 0;
    for (int i = 0; i < request.body().length; i++) {
      if (request.body()[i] == NEW_LINE) {
        String line = new String(request.body(), begin, i - begin, StandardCharsets.UTF_8);
        events.add(event(request, line, line.getBytes(StandardCharsets.UTF_8)));
        begin = i + 1;
      }
    }
    return events;
  }

  private static WebhookEvent event(WebhookRequest request, String id, byte[] body) {
    return new WebhookEvent(
        request.headers().first("x-type"),
        id,
        request.headers().first("x-entity"),
        request.headers().first("x-tenant"),
        null,
        body,
        "application/json; charset=utf-8");
  }

  @Override
  public Acknowledgement acknowledgement() {
    return Acknowledgement.defaults();
  }

  @Override
  public Set<String> methods() {
    return Set.of("POST", "GET");
  }
}

package dev.mailroom.webhooks.internal;

import dev.mailroom.webhooks.Source;
import dev.mailroom.webhooks.WebhookEvent;
import dev.mailroom.webhooks.WebhookRequest;
import dev.mailroom.webhooks.spi.EventMapper;
import dev.mailroom.webhooks.spi.Provider;
import dev.mailroom.webhooks.spi.RequestVerifier;
import dev.mailroom.webhooks.spi.Verification;
import java.time.Instant;
import java.util.List;

/** A provider that combines a verifier and an event mapper. */
public record SplitProvider(String name, RequestVerifier validator, EventMapper mapper)
    implements Provider {

  @Override
  public Verification verify(WebhookRequest request, Source source, Instant now) {
    return validator.verify(request, source, now);
  }

  @Override
  public List<WebhookEvent> events(WebhookRequest request, Source source) {
    return mapper.events(request, source);
  }
}

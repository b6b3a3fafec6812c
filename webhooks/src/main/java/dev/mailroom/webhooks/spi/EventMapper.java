package dev.mailroom.webhooks.spi;

import dev.mailroom.webhooks.Source;
import dev.mailroom.webhooks.WebhookEvent;
import dev.mailroom.webhooks.WebhookRequest;
import java.util.List;

/** Reads the events of a verified request. */
@FunctionalInterface
public interface EventMapper {
  /** The events that the request carries. Never throws for what a request contains. */
  List<WebhookEvent> events(WebhookRequest request, Source source);
}

package dev.mailroom.server.web;

import dev.mailroom.webhooks.Source;
import dev.mailroom.webhooks.WebhookRequest;
import dev.mailroom.webhooks.WebhookResponse;
import java.util.List;
import java.util.concurrent.CompletionStage;

/** Receives webhooks. */
public interface WebhookReceiver {

  /** Takes a request; the answer comes when its events are stored. */
  CompletionStage<WebhookResponse> receive(WebhookRequest request);

  /** The configured sources. */
  List<Source> sources();
}

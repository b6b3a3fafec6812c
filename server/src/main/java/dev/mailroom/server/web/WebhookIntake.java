package dev.mailroom.server.web;

import dev.mailroom.webhooks.Source;
import dev.mailroom.webhooks.WebhookRequest;
import dev.mailroom.webhooks.WebhookResponse;
import java.util.List;

/** What takes webhooks in. */
public interface WebhookIntake {

  /** Takes a request and answers it. */
  WebhookResponse receive(WebhookRequest request);

  /** Who is listened to. */
  List<Source> sources();
}

package dev.mailroom.server;

import dev.mailroom.server.web.WebhookReceiver;
import dev.mailroom.webhooks.Source;
import dev.mailroom.webhooks.WebhookRequest;
import dev.mailroom.webhooks.WebhookResponse;
import dev.mailroom.webhooks.Webhooks;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** The receiver of the configured webhooks, or one that answers 404 if there are no sources. */
final class WebhookReceivers {
  private WebhookReceivers() {}

  static WebhookReceiver of(@Nullable Webhooks webhooks) {
    return webhooks == null ? new NoWebhooks() : new ConfiguredWebhooks(webhooks);
  }

  private record ConfiguredWebhooks(Webhooks webhooks) implements WebhookReceiver {
    @Override
    public CompletionStage<WebhookResponse> receive(WebhookRequest request) {
      return webhooks.receiveAsync(request);
    }

    @Override
    public List<Source> sources() {
      return webhooks.sources();
    }
  }

  private record NoWebhooks() implements WebhookReceiver {
    @Override
    public CompletionStage<WebhookResponse> receive(WebhookRequest request) {
      return CompletableFuture.completedStage(
          WebhookResponse.json(404, "{\"error\":\"unknown-source\"}"));
    }

    @Override
    public List<Source> sources() {
      return List.of();
    }
  }
}

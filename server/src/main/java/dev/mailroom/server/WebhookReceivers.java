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

/** Takes webhooks where there are sources, and nothing where there are none. */
final class WebhookReceivers {
  private WebhookReceivers() {}

  static WebhookReceiver of(@Nullable Webhooks webhooks) {
    return webhooks == null ? new Nobody() : new Somebody(webhooks);
  }

  private record Somebody(Webhooks webhooks) implements WebhookReceiver {
    @Override
    public CompletionStage<WebhookResponse> receive(WebhookRequest request) {
      return webhooks.receiveAsync(request);
    }

    @Override
    public List<Source> sources() {
      return webhooks.sources();
    }
  }

  private record Nobody() implements WebhookReceiver {
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

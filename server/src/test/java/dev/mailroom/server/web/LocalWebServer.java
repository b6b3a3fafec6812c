package dev.mailroom.server.web;

import dev.mailroom.server.config.ConfigurationReader;
import dev.mailroom.server.config.OptionsReader;
import dev.mailroom.time.TimeSource;
import dev.mailroom.webhooks.Source;
import dev.mailroom.webhooks.WebhookRequest;
import dev.mailroom.webhooks.WebhookResponse;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** A web server on a free port without a store, with routes of a test. */
final class LocalWebServer implements AutoCloseable {
  private final WebServer server;

  LocalWebServer(Path directory, Map<String, String> settings, HttpRoute... routes) {
    ConfigurationReader reader = new ConfigurationReader(directory, Map.of());
    reader.flag("listen.port", "0");
    settings.forEach(reader::flag);
    server =
        new WebServer(
            OptionsReader.read(reader.read()),
            List.of(routes),
            new FailingReceiver(),
            new StoreWrites(TimeSource.system()),
            new SimpleMeterRegistry());
    server.start();
  }

  String url() {
    return server.url();
  }

  @Override
  public void close() {
    server.close();
  }

  private static final class FailingReceiver implements WebhookReceiver {
    @Override
    public CompletionStage<WebhookResponse> receive(WebhookRequest request) {
      return CompletableFuture.failedStage(new IllegalStateException("a hidden reason"));
    }

    @Override
    public List<Source> sources() {
      return List.of();
    }
  }
}
